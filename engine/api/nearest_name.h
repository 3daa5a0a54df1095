// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace kvist {

/// The known name with the smallest edit distance to a mistyped one, or an empty string where none is near
/// (more than half of its letters would have to change). For "did you mean" in messages.
std::string nearestName(const std::string& mistyped, const std::vector<std::string>& known);

}  // namespace kvist
