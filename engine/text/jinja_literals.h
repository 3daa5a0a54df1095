// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kvist {

/// The string literals in the expressions and statements of a Jinja template, in their order, with \n, \t, \r, \\, \'
/// and \" resolved. An unfinished literal is left out.
std::vector<std::string> jinjaLiterals(std::string_view text);

}  // namespace kvist
