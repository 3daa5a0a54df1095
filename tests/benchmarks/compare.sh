#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares decode and scoring speed with transformers and llama.cpp on this machine, in one run, with the real weights
# of Qwen2.5-Coder-0.5B in bfloat16.
#
# usage: tests/benchmarks/compare.sh [--weights DIR] [--rounds N] [--only decode|scoring]
#
#   --weights DIR  a folder prepared before, with DIR.gguf beside it (default: build/qwen_coder_05b)
#   --rounds N     rounds of the decode comparison (default: 9)
#   --only PART    one of the two comparisons
#   --help         this text
#
# The peers are installed into build/peers (llama.cpp is compiled for this CPU, which takes ten minutes). Nothing else
# should run on the machine meanwhile. Takes about forty minutes, 8 GB of memory and 12 GB of disk; writes its tables
# and every sample to build/comparison/.
source "$(dirname "${BASH_SOURCE[0]}")/../../packaging/common.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../../packaging/real_weights.sh"

weights="$kvist_root/build/qwen_coder_05b"
rounds=9
only=""
while (($# > 0)); do
    case "$1" in
        --weights | --rounds | --only)
            (($# > 1)) || die "$1 needs a value"
            case "$1" in
                --weights) weights="$(realpath -m "$2")" ;;
                --rounds) rounds="$2" ;;
                --only) only="$2" ;;
            esac
            shift
            ;;
        --help | -h)
            print_help "${BASH_SOURCE[0]}"
            exit 0
            ;;
        *) die "unknown option $1; tests/benchmarks/compare.sh --help lists the options" ;;
    esac
    shift
done

here="$kvist_root/tests/benchmarks"
peers="$kvist_root/build/peers"
output="$kvist_root/build/comparison"
mkdir -p "$output"

if [[ ! -f $peers/ready ]]; then
    say "Installing the peers"
    python3 -m venv "$peers"
    CMAKE_ARGS="-DGGML_NATIVE=ON" CMAKE_BUILD_PARALLEL_LEVEL="$(job_count)" \
        "$peers/bin/pip" install --quiet --requirement "$here/compare/requirements.txt"
    touch "$peers/ready"
fi
prepare_real_weights "$weights"
[[ -f $weights.bf16.gguf ]] ||
    "$peers/bin/python" "$here/compare/gguf_to_bf16.py" "$weights.gguf" "$weights.bf16.gguf"
say "Building"
cmake --preset release -DKVIST_BENCHMARKS=ON -S "$kvist_root" > "$output/configure.log"
cmake --build "$kvist_root/build/release" --parallel "$(job_count)" --target kvist decode_worker >&2

if [[ $only != scoring ]]; then
    "$peers/bin/python" "$here/compare/decode.py" --worker "$kvist_root/build/release/tests/benchmarks/decode_worker" \
        --model "$weights" --gguf "$weights.bf16.gguf" --rounds "$rounds" --json "$output/decode.json" |
        tee "$output/decode.md"
fi
if [[ $only != decode ]]; then
    "$peers/bin/python" "$here/compare/scoring.py" --kvist "$kvist_root/build/release/app/kvist" \
        --reference "$kvist_root/tests/data/nll/hf_reference.py" --model "$weights" \
        --text "$kvist_root/resources/texts/wiki.test.raw" --chunk-one 128 --json "$output/scoring.json" |
        tee "$output/scoring.md"
fi
