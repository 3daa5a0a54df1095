// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace kvist {

/// Two sequences of tokens, place by place.
struct EqualTokens {
    std::optional<std::size_t> firstDifference;  ///< equal tokens before it; none where all are equal
    double share = 1;  ///< equal places of those that the longer one has; 1 where both are empty
};

/// A sequence that has ended differs from one that goes on.
EqualTokens compareTokens(std::span<const std::int32_t> a, std::span<const std::int32_t> b);

}  // namespace kvist
