// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace kvist {

/// A mean with its uncertainty. `standardError` is NaN for fewer than two values.
struct Estimate {
    double mean = 0;
    double standardError = 0;
    std::size_t count = 0;
};

double mean(std::span<const double> values);

/// Sample standard deviation (n − 1); NaN for fewer than two values.
double sampleDeviation(std::span<const double> values);

/// Mean and standard error (sample deviation / √n), values taken as independent.
Estimate estimate(std::span<const double> values);
Estimate estimate(std::span<const float> values);

/// Mean and standard error of the paired differences a − b. The spans must be equally long
/// (throws EngineError(InvalidInput)).
Estimate pairedDifference(std::span<const float> a, std::span<const float> b);

/// Percentile by linear interpolation between closest ranks (NumPy's default); p in [0, 100].
/// Throws EngineError(InvalidInput) for an empty span.
double percentile(std::span<const double> values, double p);
double median(std::span<const double> values);

}  // namespace kvist
