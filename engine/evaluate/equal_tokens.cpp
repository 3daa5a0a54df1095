// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/equal_tokens.h"

#include <algorithm>

namespace kvist {

EqualTokens compareTokens(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
    const std::size_t longer = std::max(a.size(), b.size());
    const std::size_t shorter = std::min(a.size(), b.size());
    EqualTokens result;
    std::size_t equal = 0;
    for (std::size_t i = 0; i < longer; ++i) {
        if (i < shorter && a[i] == b[i]) {
            ++equal;
        } else if (!result.firstDifference) {
            result.firstDifference = i;
        }
    }
    result.share = longer == 0 ? 1.0 : static_cast<double>(equal) / static_cast<double>(longer);
    return result;
}

}  // namespace kvist
