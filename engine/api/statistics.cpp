// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/api/engine_error.h"

namespace kvist {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

std::vector<double> widened(std::span<const float> values) {
    return {values.begin(), values.end()};
}

}  // namespace

double mean(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    return values.empty() ? kUndefined : sum / static_cast<double>(values.size());
}

double sampleDeviation(std::span<const double> values) {
    if (values.size() < 2) {
        return kUndefined;
    }
    const double center = mean(values);
    double sum = 0;
    for (const double value : values) {
        sum += (value - center) * (value - center);
    }
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

Estimate estimate(std::span<const double> values) {
    return {mean(values), sampleDeviation(values) / std::sqrt(static_cast<double>(values.size())), values.size()};
}

Estimate estimate(std::span<const float> values) {
    return estimate(std::span<const double>(widened(values)));
}

Estimate pairedDifference(std::span<const float> a, std::span<const float> b) {
    if (a.size() != b.size()) {
        throw EngineError(ErrorKind::InvalidInput, "paired difference of " + std::to_string(a.size()) + " and " +
                                                       std::to_string(b.size()) + " values");
    }
    std::vector<double> differences(a.size());
    std::transform(a.begin(), a.end(), b.begin(), differences.begin(),
                   [](float x, float y) { return static_cast<double>(x) - static_cast<double>(y); });
    return estimate(std::span<const double>(differences));
}

double percentile(std::span<const double> values, double p) {
    if (values.empty()) {
        throw EngineError(ErrorKind::InvalidInput, "percentile of no values");
    }
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const double rank = std::clamp(p, 0.0, 100.0) / 100.0 * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double median(std::span<const double> values) {
    return percentile(values, 50);
}

}  // namespace kvist
