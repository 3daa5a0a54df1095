// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/tasks/hidden_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kvist {

HiddenText hidePieces(const Haystack& haystack, const std::vector<std::int32_t>& text,
                      const std::vector<HiddenPiece>& pieces) {
    std::vector<std::size_t> places;
    for (const HiddenPiece& piece : pieces) {
        auto place = static_cast<std::size_t>(std::lround(piece.depth * static_cast<double>(text.size())));
        while (place > 0 && !haystack.endsSentence(text[place - 1])) {
            --place;
        }
        places.push_back(place);
    }
    std::vector<std::size_t> order(pieces.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });

    HiddenText result;
    result.places.resize(pieces.size());
    std::size_t copied = 0;
    const auto copyUpTo = [&](std::size_t end) {
        result.tokens.insert(result.tokens.end(), text.begin() + static_cast<std::ptrdiff_t>(copied),
                             text.begin() + static_cast<std::ptrdiff_t>(end));
        copied = end;
    };
    for (const std::size_t index : order) {
        copyUpTo(places[index]);
        const auto first = static_cast<std::int64_t>(result.tokens.size());
        const auto& tokens = pieces[index].tokens;
        result.tokens.insert(result.tokens.end(), tokens.begin(), tokens.end());
        result.places[index] = {first, first + static_cast<std::int64_t>(tokens.size())};
    }
    copyUpTo(text.size());
    return result;
}

}  // namespace kvist
