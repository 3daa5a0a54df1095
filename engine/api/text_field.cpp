// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/text_field.h"

namespace kvist {

bool isJsonLines(const std::string& file) {
    return file.ends_with(".jsonl") || file.ends_with(".JSONL");
}

std::string textField(const TextChoice& text) {
    return text.field.empty() && isJsonLines(text.file) ? "text" : text.field;
}

}  // namespace kvist
