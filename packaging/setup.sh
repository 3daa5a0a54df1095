#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what building and running Kvist needs on Debian 12: packages of Debian, and libtorch in the
# virtual environment .venv of this folder. Nothing is done twice; when all is there it needs no network.
#
# usage: packaging/setup.sh [--tests] [--cuda-compiler] [--cuda]
#
#   --tests          also the packages that only the tests need
#   --cuda-compiler  also nvcc, to compile the CUDA code (0.3 GB); no GPU is needed for that
#   --cuda           also nvcc and the NVIDIA libraries that libtorch needs to run on a GPU (4 GB)
#   --help           this text
#
# Debian packages are installed as root or through sudo. Without either the line to run is printed.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

sections=(build run)
locks=(libtorch)
for argument in "$@"; do
    case "$argument" in
        --tests) sections+=(test) ;;
        --cuda-compiler) locks+=(cuda-compiler) ;;
        --cuda) locks+=(cuda-compiler cuda-runtime) ;;
        --help | -h)
            print_help "${BASH_SOURCE[0]}"
            exit 0
            ;;
        *) die "unknown option $argument; packaging/setup.sh --help lists the options" ;;
    esac
done

packages_of() {
    awk -v wanted="[$1]" '/^\[/ { on = ($0 == wanted) } on && /^[a-z]/' "$kvist_packaging/debian-packages.txt"
}

missing_packages() {
    local section package
    for section in "${sections[@]}"; do
        for package in $(packages_of "$section"); do
            [[ $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2> /dev/null) == ii* ]] || echo "$package"
        done
    done
}

# The stamp of a lock file holds the hash of what was installed from it.
stamp_of() { echo "$kvist_venv/kvist-$1.stamp"; }
lock_hash() { sha256sum < "$kvist_packaging/$1-requirements.txt" | cut -d ' ' -f 1; }
is_installed() { [[ -x $kvist_venv/bin/python && $(cat "$(stamp_of "$1")" 2> /dev/null) == "$(lock_hash "$1")" ]]; }

# require_space FOLDER MIB: stops where the file system of the folder has less.
require_space() {
    local folder="$1" needed="$2" free
    free="$(df --output=avail -BM "$folder" | tail -n 1 | tr -dc '0-9')"
    ((free >= needed)) ||
        die "$folder has $free MiB free and $needed MiB are needed; free $((needed - free)) MiB there and start again"
}

install_packages() {
    local line
    line="apt-get update && apt-get install --yes --no-install-recommends $*"
    if (($(id -u) == 0)); then
        DEBIAN_FRONTEND=noninteractive bash -c "$line" >&2 || die "apt-get failed; its message is above"
    elif command -v sudo > /dev/null && { [[ -t 0 ]] || sudo -n true 2> /dev/null; }; then
        sudo DEBIAN_FRONTEND=noninteractive bash -c "$line" >&2 || die "apt-get failed; run as root: $line"
    else
        die "Debian packages are missing and this is neither root nor a user with sudo. Run as root, then start again:
  $line"
    fi
}

install_wheels() {
    local lock="$1"
    [[ -x $kvist_venv/bin/python ]] || /usr/bin/python3 -m venv "$kvist_venv"
    "$kvist_venv/bin/python" -m pip install --disable-pip-version-check --no-deps --require-hashes \
        --requirement "$kvist_packaging/$lock-requirements.txt" >&2 ||
        die "pip could not install $lock-requirements.txt; its message is above"
    lock_hash "$lock" > "$(stamp_of "$lock")"
}

[[ $(uname -m) == x86_64 ]] || die "the locked libtorch wheel is for x86-64; this machine is $(uname -m)"
command -v dpkg-query > /dev/null || die "these scripts are for Debian 12; here is no dpkg. README.md lists what to install by hand"

mapfile -t packages < <(missing_packages)
missing_locks=()
declare -A size_of=([libtorch]=2200 [cuda-compiler]=500 [cuda-runtime]=6000)
wheel_space=0
for lock in "${locks[@]}"; do
    is_installed "$lock" && continue
    missing_locks+=("$lock")
    wheel_space=$((wheel_space + size_of[$lock]))
done

if ((${#packages[@]} == 0 && ${#missing_locks[@]} == 0)); then
    say "Everything needed is installed."
    exit 0
fi

# Space is looked at before anything is changed.
((wheel_space == 0)) || require_space "$kvist_root" $((wheel_space + 1500))
((${#packages[@]} == 0)) || require_space /usr 1800

if ((${#packages[@]} > 0)); then
    say "Installing ${#packages[@]} Debian packages: ${packages[*]}"
    install_packages "${packages[@]}"
fi
if ((${#missing_locks[@]} > 0)); then
    [[ $(/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])') == 3.11 ]] ||
        die "the locked libtorch wheel is for Python 3.11, the one of Debian 12; here is $(/usr/bin/python3 --version)"
fi
for lock in "${missing_locks[@]}"; do
    say "Installing $(grep -c '^[a-z].*==' "$kvist_packaging/$lock-requirements.txt") packages of packaging/$lock-requirements.txt into .venv"
    install_wheels "$lock"
done
say "Everything needed is installed."
