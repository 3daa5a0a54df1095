// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/api/parameter_spec.h"
#include "experiments/result.h"
#include "experiments/sweep.h"

namespace kvist::experiments {

/// The items of an axis text as written: split at commas, trimmed, empty ones left out.
std::vector<std::string> axisItems(const AxisText& text);

/// The inverse: "a, b, c".
AxisText joinedItems(const std::vector<std::string>& items);

/// The single values that an axis text stands for, in the order written and without repetitions, as text in the
/// C locale. "128-2048*2" gives 128, 256 … 2048 and "0.1-0.9+0.2" gives 0.1, 0.3 … 0.9 (no rounding drift; an end
/// that is not hit is left out); a unit may follow the numbers ("25%-75%+25%"). Refused: no value at all, a
/// range without step or one that does not grow, more than 1000 values.
Result<std::vector<std::string>> expandedAxis(const AxisText& text);

/// The values as whole numbers from `minimum` to `maximum`.
Result<std::vector<std::int64_t>> expandedIntegers(const AxisText& text, std::int64_t minimum, std::int64_t maximum);

/// The values of a parameter, each checked against its spec.
Result<std::vector<ParameterValue>> expandedValues(const ParameterSpec& spec, const AxisText& text);

}  // namespace kvist::experiments
