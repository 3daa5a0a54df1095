// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/model/attention.h"
#include "engine/policies/calibration/calibration_measure.h"

namespace kvist {

/// CalibrationKind::QueryStatistics: running sums over tokens in float64.
class QueryStatistics : public CalibrationMeasure {
public:
    QueryStatistics(std::int64_t layers, std::int64_t queryHeads, std::int64_t headDim);

    void add(std::int64_t layer, const Projection& projection, const RotaryAngles& angles) override;
    at::Tensor values() const override;

private:
    at::Tensor m_sums;                   // [layers, query_heads, 3, head_dim / 2]
    std::vector<std::int64_t> m_tokens;  // by layer
};

}  // namespace kvist
