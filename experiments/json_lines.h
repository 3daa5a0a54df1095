// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace kvist::experiments {

/// Where the keys and array elements of a JSON text stand: line numbers (from 1) by JSON pointer
/// ("/policies/1/id"). The text must be valid JSON. A key given twice throws RefusedInput.
std::map<std::string, int> jsonLines(std::string_view json);

}  // namespace kvist::experiments
