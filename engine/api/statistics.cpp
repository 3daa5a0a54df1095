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

std::vector<double> differences(std::span<const float> a, std::span<const float> b) {
    if (a.size() != b.size()) {
        throw EngineError(ErrorKind::InvalidInput, "paired difference of " + std::to_string(a.size()) + " and " +
                                                       std::to_string(b.size()) + " values");
    }
    std::vector<double> result(a.size());
    std::transform(a.begin(), a.end(), b.begin(), result.begin(),
                   [](float x, float y) { return static_cast<double>(x) - static_cast<double>(y); });
    return result;
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
    return estimate(std::span<const double>(differences(a, b)));
}

double blockStandardError(std::span<const double> values, std::size_t block) {
    if (block == 0) {
        throw EngineError(ErrorKind::InvalidInput, "block 0: expected at least one value");
    }
    const std::size_t count = values.size();
    if (count < 2 * block) {
        return kUndefined;
    }
    const double center = mean(values);
    double sum = 0;
    for (std::size_t i = 0; i < block; ++i) {
        sum += values[i] - center;
    }
    double squares = 0;
    for (std::size_t start = 0; start < count; ++start) {
        squares += sum * sum;
        sum += values[(start + block) % count] - values[start];
    }
    // The variance of one block's mean, over count / block blocks in a resample.
    const auto width = static_cast<double>(block);
    const auto all = static_cast<double>(count);
    return std::sqrt(squares / (width * width * all) * width / all);
}

double blockStandardError(std::span<const float> values, std::size_t block) {
    return blockStandardError(std::span<const double>(widened(values)), block);
}

double blockStandardError(std::span<const float> a, std::span<const float> b, std::size_t block) {
    return blockStandardError(std::span<const double>(differences(a, b)), block);
}

std::size_t bootstrapBlock(std::size_t count) {
    return std::clamp<std::size_t>(count / 8, 1, 64);
}

Interval wilsonInterval(std::size_t successes, std::size_t trials, double z) {
    if (successes > trials) {
        throw EngineError(ErrorKind::InvalidInput,
                          std::to_string(successes) + " successes in " + std::to_string(trials) + " trials");
    }
    if (trials == 0) {
        return {kUndefined, kUndefined};
    }
    const auto n = static_cast<double>(trials);
    const double share = static_cast<double>(successes) / n;
    const double center = (share + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    return {successes == 0 ? 0.0 : center - half, successes == trials ? 1.0 : center + half};
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
