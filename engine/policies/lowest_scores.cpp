// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/lowest_scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/api/engine_error.h"

namespace kvist {
namespace {

struct GoesBefore {
    std::span<const float> scores;

    bool operator()(std::int32_t a, std::int32_t b) const {
        const float x = scores[static_cast<std::size_t>(a)];
        const float y = scores[static_cast<std::size_t>(b)];
        return x < y || (x == y && a > b);
    }
};

/// All indices, after a check of the scores.
std::vector<std::int32_t> indicesOf(std::span<const float> scores) {
    if (std::any_of(scores.begin(), scores.end(), [](float score) { return std::isnan(score); })) {
        throw EngineError(ErrorKind::Numerical, "a score of the policy is NaN; try dtype float32");
    }
    std::vector<std::int32_t> order(scores.size());
    std::iota(order.begin(), order.end(), 0);
    return order;
}

}  // namespace

std::vector<std::int32_t> lowestScores(std::span<const float> scores, std::int64_t count, std::int32_t offset) {
    std::vector<std::int32_t> order = indicesOf(scores);
    if (count == 1) {  // every decode step of a full cache
        return {*std::min_element(order.begin(), order.end(), GoesBefore{scores}) + offset};
    }
    std::nth_element(order.begin(), order.begin() + count, order.end(), GoesBefore{scores});
    order.resize(static_cast<std::size_t>(count));
    std::sort(order.begin(), order.end());
    for (std::int32_t& entry : order) {
        entry += offset;
    }
    return order;
}

std::vector<std::int32_t> worstFirst(std::span<const float> scores) {
    std::vector<std::int32_t> order = indicesOf(scores);
    std::sort(order.begin(), order.end(), GoesBefore{scores});
    return order;
}

}  // namespace kvist
