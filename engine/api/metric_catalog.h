// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace kvist {

/// One figure of a run. The name is the key in RunResult::metrics and the CSV column.
struct MetricInfo {
    std::string name;   ///< "decode_tok_s_median"
    std::string title;  ///< "Decode speed, median"
    std::string unit;   ///< "tok/s", "B", "nats", … or empty
    std::string help;   ///< what the number means
};

/// Every figure, in the order of the CSV columns. Also those that need the baseline and are therefore
/// computed when results are read (delta_nll …).
const std::vector<MetricInfo>& metricCatalog();

/// Throws EngineError(Internal) for an unknown name.
const MetricInfo& metricInfo(const std::string& name);

}  // namespace kvist
