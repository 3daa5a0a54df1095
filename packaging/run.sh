#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds the program alone and starts it.
#
# usage: packaging/run.sh [--cpu] [ARGUMENTS OF KVIST…]
#
#   --cpu    builds no CUDA code even where a GPU is
#   --help   this text; packaging/run.sh -- --help shows the program's own
#
# Without arguments the window opens with the demo model and a preset sweep. Where there is no display the
# same sweep runs without a window: its table is printed, and build/demo/ receives the results (SQLite),
# a CSV file and the charts as PNG.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

use_gpu=true
while (($# > 0)); do
    case "$1" in
        --cpu) use_gpu=false ;;
        --help | -h)
            print_help "${BASH_SOURCE[0]}"
            exit 0
            ;;
        --)
            shift
            break
            ;;
        *) break ;;
    esac
    shift
done

architecture=""
setup_arguments=()
if $use_gpu && architecture="$(gpu_architecture)"; then
    say "A GPU of compute capability ${architecture:0:-1}.${architecture: -1} is here: CUDA code is built too."
    setup_arguments+=(--cuda)
fi

"$kvist_packaging/setup.sh" "${setup_arguments[@]}"
[[ -x $kvist_root/build/release/app/kvist ]] || say "Building the program; this takes several minutes."
configure_and_build release "$architecture"
program="$kvist_root/build/release/app/kvist"

if (($# > 0)); then
    exec "$program" "$@"
fi
if [[ -n ${DISPLAY:-} || -n ${WAYLAND_DISPLAY:-} ]]; then
    say "Opening the window."
    exec "$program"
fi
output="$kvist_root/build/demo"
mkdir -p "$output"
say "There is no display: the preset sweep runs without a window."
status=0
"$program" --headless "$kvist_root/experiments/presets/budget_curve.json" \
    --store "$output/results.sqlite" --csv "$output/results.csv" --charts "$output/charts" || status=$?
say "Results: $output/results.sqlite, table: $output/results.csv, charts: $output/charts/"
exit "$status"
