# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034
# What setup.sh, run.sh and test.sh share; sourced, never run.
set -euo pipefail

kvist_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
kvist_packaging="$kvist_root/packaging"
kvist_venv="$kvist_root/.venv"

say() { printf '==> %s\n' "$*" >&2; }

die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# The leading comment of a script, as its help text.
print_help() { sed -n '3,/^[^#]/{s/^# \{0,1\}//p}' "$1"; }

# Compilers at a time: one a core, fewer where each would have less than 2 GiB of free memory.
job_count() {
    local cores memory
    cores="$(nproc)"
    memory="$(awk '/^MemAvailable:/ { print int($2 / 2097152) }' /proc/meminfo)"
    ((memory >= 1)) || memory=1
    echo $((cores < memory ? cores : memory))
}

# A GPU that the locked CUDA release can use: driver 580 or newer, compute capability 7.5 or higher.
# Prints its architecture ("90") where there is one.
gpu_architecture() {
    local capability driver
    command -v nvidia-smi > /dev/null || return 1
    IFS=', ' read -r capability driver < <(
        nvidia-smi --query-gpu=compute_cap,driver_version --format=csv,noheader 2> /dev/null | head -n 1
    ) || return 1
    [[ $capability =~ ^[0-9]+\.[0-9]$ && $driver =~ ^[0-9]+\. ]] || return 1
    if ((${driver%%.*} < 580)) || ((${capability/./} < 75)); then
        say "The GPU is left alone: CUDA 13 needs driver 580 (here $driver) and compute capability 7.5 (here $capability)."
        return 1
    fi
    echo "${capability/./}"
}

# CMake arguments for CUDA code of the given architectures ("80;90"), or for none.
cuda_arguments() {
    local toolkit
    if [[ -z $1 ]]; then
        printf '%s\n' -DKVIST_CUDA=OFF
        return
    fi
    toolkit="$(echo "$kvist_venv"/lib/python3*/site-packages/nvidia/cu13)"
    printf '%s\n' -DKVIST_CUDA=ON "-DCMAKE_CUDA_COMPILER=$toolkit/bin/nvcc" "-DCUDAToolkit_ROOT=$toolkit" \
        "-DCMAKE_CUDA_ARCHITECTURES=$1"
}

# configure_and_build PRESET CUDA_ARCHITECTURES [TARGET…]: everything where no target is named.
configure_and_build() {
    local preset="$1" architectures="$2" arguments log
    shift 2
    mapfile -t arguments < <(cuda_arguments "$architectures")
    log="$kvist_root/build/$preset-configure.log"
    mkdir -p "$kvist_root/build"
    # Object files of another checkout of the same sources serve this one as well.
    export CCACHE_BASEDIR="$kvist_root" CCACHE_NOHASHDIR=1
    (cd "$kvist_root" && cmake --preset "$preset" "${arguments[@]}" > "$log" 2>&1) || {
        cat "$log" >&2
        die "CMake could not configure the preset $preset; its output is above and in $log"
    }
    # 'all' stands for no target; ${@:-all} keeps set -u content.
    cmake --build "$kvist_root/build/$preset" --parallel "$(job_count)" --target "${@:-all}" >&2
}
