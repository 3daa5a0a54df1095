// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scored_policy.h"

namespace kvist {

/// Stretches of neighbouring tokens stay or go as a whole (Liu et al. 2025, arXiv 2502.00299, section 3.2): the
/// text is cut every `length` tokens, and the stretches of lowest mean score go until the target is met.
class ChunkSelection : public Selection {
public:
    static PolicyInfo info(const std::vector<std::string>& bases);
    static ScoredPolicy::Parts parts(std::unique_ptr<Scorer> base, const ParameterMap& parameters);

    explicit ChunkSelection(std::int64_t length) : m_length(length) {}

    std::vector<std::vector<std::int32_t>> evicted(const LayerView& view, const Candidates& candidates) const override;

private:
    std::int64_t m_length;
};

}  // namespace kvist
