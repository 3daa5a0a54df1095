// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/run_record.h"

#include <limits>

namespace kvist::experiments {

double RunRecord::metric(const std::string& name) const {
    const auto found = metrics.find(name);
    return found == metrics.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

}  // namespace kvist::experiments
