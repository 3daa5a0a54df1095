// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace kvist {

/// Unicode normalisation form C of valid UTF-8.
std::string toNfc(std::string_view text);

}  // namespace kvist
