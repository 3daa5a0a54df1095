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

/// Standard error of the mean of values that depend on their neighbours, as the NLLs of a text do: that of the
/// circular block bootstrap (Politis & Romano 1992) with blocks of `block` values, in the closed form that
/// resampling tends to. NaN for fewer than two blocks. Throws EngineError(InvalidInput) for block 0.
double blockStandardError(std::span<const double> values, std::size_t block);
double blockStandardError(std::span<const float> values, std::size_t block);

/// As of the paired differences a − b.
double blockStandardError(std::span<const float> a, std::span<const float> b, std::size_t block);

/// The block that is used for `count` tokens: 64, or an eighth of them where they are fewer than 512; at least 1.
std::size_t bootstrapBlock(std::size_t count);

struct Interval {
    double low = 0;
    double high = 0;
};

/// Wilson's interval of a share (Wilson 1927), by default at 95 %. NaN without trials.
Interval wilsonInterval(std::size_t successes, std::size_t trials, double z = 1.959963984540054);

/// Percentile by linear interpolation between closest ranks (NumPy's default); p in [0, 100].
/// Throws EngineError(InvalidInput) for an empty span.
double percentile(std::span<const double> values, double p);
double median(std::span<const double> values);

}  // namespace kvist
