// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/evaluate/tasks/haystack.h"
#include "engine/policies/plan_context.h"

namespace kvist {

/// Something to hide in a text.
struct HiddenPiece {
    std::vector<std::int32_t> tokens;
    double depth = 0;  ///< share of the text that stands before it, 0 … 1
};

struct HiddenText {
    std::vector<std::int32_t> tokens;
    std::vector<TokenSpan> places;  ///< of the pieces, in their order
};

/// The text with the pieces in it, each at the last end of a sentence at or before its depth (or at the beginning);
/// pieces of one place stand in their order.
HiddenText hidePieces(const Haystack& haystack, const std::vector<std::int32_t>& text,
                      const std::vector<HiddenPiece>& pieces);

}  // namespace kvist
