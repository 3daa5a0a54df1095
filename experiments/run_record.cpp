// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/run_record.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/api/policy_catalog.h"

namespace kvist::experiments {

bool RunRecord::isCoded() const {
    const auto& catalog = policyCatalog();
    return !config.store.empty() || std::any_of(catalog.begin(), catalog.end(), [this](const PolicyInfo& info) {
        return info.id == config.policy && info.isStore;
    });
}

double RunRecord::withScales(double payload) const {
    const double metadata = metric("kv_metadata_bytes");
    return isCoded() && std::isfinite(metadata) ? payload + metadata : payload;
}

double RunRecord::heldBytes() const {
    const double peak = metric("kv_payload_peak_bytes");
    return withScales(std::isfinite(peak) ? peak : metric("kv_payload_bytes"));
}

double RunRecord::leftBytes() const {
    return withScales(metric("kv_payload_bytes"));
}

double RunRecord::metric(const std::string& name) const {
    const auto found = metrics.find(name);
    return found == metrics.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

}  // namespace kvist::experiments
