// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kvist {

/// How many of the expected strings stand in the answer, upper and lower case taken as equal: RULER's
/// string_match_all is this over their number (Hsieh et al. 2024, arXiv 2404.06654).
std::int64_t matchedStrings(const std::string& answer, const std::vector<std::string>& expected);

}  // namespace kvist
