#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the engine alone with its CUDA modules against an installed libtorch, runs the tests that need a GPU, and
# measures decode steps there with random weights of real shapes, those of full caches as a CUDA graph where a line of
# the worker says so. Needs no Qt and no network.
#
# usage: tests/benchmarks/gpu_check.sh [--torch DIR] [--nvcc FILE] [--shape 0.5B|1.5B] [--build DIR]
#
#   --torch DIR   libtorch's folder (default: that of python3's torch)
#   --nvcc FILE   the CUDA compiler, of the release that libtorch was built for (default: nvcc on the PATH)
#   --shape NAME  of the random model (default: 1.5B)
#   --build DIR   default: build/gpu
#   --help        this text
#
# Without a GPU it builds, the tests skip with the reason, and nothing is measured.
source "$(dirname "${BASH_SOURCE[0]}")/../../packaging/common.sh"

torch=""
nvcc="$(command -v nvcc || true)"
shape="1.5B"
build="$kvist_root/build/gpu"
while (($# > 0)); do
    case "$1" in
        --torch | --nvcc | --shape | --build)
            (($# > 1)) || die "$1 needs a value"
            case "$1" in
                --torch) torch="$2" ;;
                --nvcc) nvcc="$2" ;;
                --shape) shape="$2" ;;
                --build) build="$2" ;;
            esac
            shift
            ;;
        --help | -h)
            print_help "${BASH_SOURCE[0]}"
            exit 0
            ;;
        *) die "unknown option $1; tests/benchmarks/gpu_check.sh --help lists the options" ;;
    esac
    shift
done
[[ -n $torch ]] || torch="$(python3 -c 'import os, torch; print(os.path.dirname(torch.__file__))')" ||
    die "python3 has no torch; name libtorch's folder with --torch"
[[ -x $nvcc ]] || die "there is no nvcc; name it with --nvcc"
architecture="$(gpu_architecture)" || architecture=""

say "Building against $torch for ${architecture:-the architectures 80 and 90}"
cmake -S "$kvist_root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DKVIST_GUI=OFF -DKVIST_BENCHMARKS=ON \
    -DKVIST_TORCH_DIR="$torch" -DKVIST_CUDA=ON -DCMAKE_CUDA_COMPILER="$nvcc" \
    -DCUDAToolkit_ROOT="$(dirname "$(dirname "$nvcc")")" -DCMAKE_CUDA_ARCHITECTURES="${architecture:-80;90}"
cmake --build "$build" --parallel "$(job_count)" --target tests_cuda decode_worker

say "Tests that need a GPU"
(cd "$build" && ctest --label-regex '^cuda$' --output-on-failure --no-tests=error)
[[ -n $architecture ]] || {
    say "No GPU here: nothing is measured."
    exit 0
}
say "Decode steps of a random model in the shape of $shape"
here="$kvist_root/tests/benchmarks/compare"
python3 "$here/random_model.py" "$shape" "$kvist_root/tests/data/qwen2.5" "$build/random_model"
python3 "$here/decode.py" --worker "$build/tests/benchmarks/decode_worker" --model "$build/random_model" \
    --device cuda --no-transformers --rounds 5 --depths 512,16384,65536 --json "$build/decode.json"
