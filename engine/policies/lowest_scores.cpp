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

std::vector<std::vector<std::int32_t>> lowestOfAll(const std::vector<std::vector<float>>& lists, std::int64_t count,
                                                   std::int32_t offset) {
    std::vector<float> all;
    for (const std::vector<float>& list : lists) {
        all.insert(all.end(), list.begin(), list.end());
    }
    const std::int64_t most = std::min(count, static_cast<std::int64_t>(all.size()));
    const std::vector<std::int32_t> lowest = most > 0 ? lowestScores(all, most, 0) : std::vector<std::int32_t>();
    std::vector<std::vector<std::int32_t>> result(lists.size());
    auto next = lowest.begin();
    std::int32_t start = 0;
    for (std::size_t i = 0; i < lists.size(); ++i) {
        const auto end = start + static_cast<std::int32_t>(lists[i].size());
        for (; next != lowest.end() && *next < end; ++next) {
            result[i].push_back(*next - start + offset);
        }
        start = end;
    }
    return result;
}

std::vector<std::int32_t> worstFirst(std::span<const float> scores) {
    std::vector<std::int32_t> order = indicesOf(scores);
    std::sort(order.begin(), order.end(), GoesBefore{scores});
    return order;
}

}  // namespace kvist
