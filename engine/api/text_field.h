// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/api/run_config.h"

namespace kvist {

/// Whether a file's name says that each of its lines is a JSON object (.jsonl).
bool isJsonLines(const std::string& file);

/// The field that a text is read from: the chosen one; for a .jsonl file without a choice "text"; else empty.
std::string textField(const TextChoice& text);

}  // namespace kvist
