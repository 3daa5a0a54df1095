// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scorer.h"

namespace kvist {

/// The logit that an average query is expected to give a key at distances 1, 2, 4, … from now (Mao et al. 2026,
/// arXiv 2604.04921, section 3): before rotation the queries of a head lie around a fixed centre, so that the logit
/// is a trigonometric series in the distance. Its mean over the distances is one product with the cached key
/// (arXiv 2607.13051). Keeps the centres that a calibration measured.
class TriAttentionScorer : public Scorer {
public:
    static PolicyInfo info();
    static constexpr bool kPerHead = true;

    explicit TriAttentionScorer(const ParameterMap& parameters)
        : m_offset(integerOf(parameters, "offset")), m_normalises(booleanOf(parameters, "normalise")) {}

    std::optional<CalibrationRequest> calibration() const override { return CalibrationRequest{}; }
    void calibrate(const Calibration& calibration) override { m_statistics = calibration.values; }
    std::int64_t stateBytes() const override {
        return m_statistics.defined() ? static_cast<std::int64_t>(m_statistics.nbytes()) : 0;
    }
    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext& context) const override;

    /// keys [heads, entries, head_dim], rotated, and statistics [heads, group, 3, bands] as a calibration has them;
    /// `turn` [2, bands]: real and imaginary part of the mean of the rotations to the positions at which queries are
    /// expected. → [heads, group, entries].
    static at::Tensor expectedLogits(const at::Tensor& keys, const at::Tensor& statistics, const at::Tensor& turn,
                                     double factor = 1.0);

private:
    std::int64_t m_offset;
    bool m_normalises;
    at::Tensor m_statistics;  // [layers, query_heads, 3, head_dim / 2]
};

}  // namespace kvist
