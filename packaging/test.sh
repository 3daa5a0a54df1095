#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds the program and all tests, compiles the CUDA code, and runs the tests.
#
# usage: packaging/test.sh [--no-sanitizers] [--no-cuda]
#
#   --no-sanitizers  leaves out the builds with address and thread sanitizer
#   --no-cuda        compiles no CUDA code and installs no nvcc
#   --help           this text
#
# Every stage says how long it took. The test runner's summary comes last.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

with_sanitizers=true
architectures="80;90"
setup_arguments=(--tests --cuda-compiler)
for argument in "$@"; do
    case "$argument" in
        --no-sanitizers) with_sanitizers=false ;;
        --no-cuda)
            architectures=""
            setup_arguments=(--tests)
            ;;
        --help | -h)
            print_help "${BASH_SOURCE[0]}"
            exit 0
            ;;
        *) die "unknown option $argument; packaging/test.sh --help lists the options" ;;
    esac
done

if [[ -n $architectures ]] && gpu_architecture > /dev/null; then
    setup_arguments+=(--cuda)
fi

stages=()
failures=()
# stage NAME COMMAND…: runs a command, notes its minutes, and stops there where it is a build that fails.
stage() {
    local name="$1" begun="$SECONDS" status=0
    shift
    say "$name"
    "$@" || status=$?
    stages+=("$(awk -v s=$((SECONDS - begun)) -v n="$name" 'BEGIN { printf "%6.1f min  %s", s / 60, n }')")
    ((status == 0)) || failures+=("$name")
    return "$status"
}

# run_tests PRESET [CTEST ARGUMENTS…]: the output also goes to a file beside the build.
run_tests() {
    local preset="$1"
    shift
    # Two programs at a time; waiting threads of one leave the cores to the other.
    (cd "$kvist_root" && OMP_WAIT_POLICY=passive ctest --preset "$preset" --parallel "$(job_count)" "$@" 2>&1) |
        tee "$kvist_root/build/$preset-tests.log"
}

stage "Installing what is missing" "$kvist_packaging/setup.sh" "${setup_arguments[@]}"
stage "Building program and tests" configure_and_build dev "$architectures"
if $with_sanitizers; then
    stage "Building with the address sanitizer" configure_and_build dev-asan "" tests_engine tests_experiments
    stage "Tests with the address sanitizer" run_tests dev-asan || true
    stage "Building with the thread sanitizer" configure_and_build dev-tsan "" tests_threads
    stage "Tests with the thread sanitizer" run_tests dev-tsan || true
fi
stage "All tests" run_tests dev || true

echo
echo "Minutes per stage:"
printf '%s\n' "${stages[@]}"
if ((${#failures[@]} > 0)); then
    echo
    printf 'Failed: %s\n' "${failures[@]}"
fi
# The summary of the last run again, so that it is the end of the output.
echo
sed -n '/% tests passed/,$p' "$kvist_root/build/dev-tests.log"
((${#failures[@]} == 0))
