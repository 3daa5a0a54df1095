// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace kvist {

/// The entries among `count` that are not in `evicted`; both ascending.
std::vector<std::int32_t> survivors(const std::vector<std::int32_t>& evicted, std::int64_t count);

}  // namespace kvist
