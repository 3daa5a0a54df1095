// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/policies/calibration/calibration_measure.h"

namespace kvist {

/// CalibrationKind::DistantAttention. Queries that see nothing but sinks and recent entries do not count.
class DistantAttention : public CalibrationMeasure {
public:
    DistantAttention(std::int64_t layers, std::int64_t kvHeads, std::int64_t sinks, std::int64_t recent);

    void add(std::int64_t layer, const Projection& projection, const RotaryAngles& angles) override;
    at::Tensor values() const override;

private:
    std::int64_t m_sinks;
    std::int64_t m_recent;
    at::Tensor m_sums;                    // [layers, kv_heads]
    std::vector<std::int64_t> m_queries;  // by layer
};

}  // namespace kvist
