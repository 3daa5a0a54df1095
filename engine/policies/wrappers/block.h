// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scored_policy.h"

namespace kvist {

/// The block-wise eviction of KeyDiff's paper (Park et al. 2025, arXiv 2504.15364, section 3.3) with any scorer: a
/// full cache makes room for a whole block of tokens, so that it never exceeds the budget and scores are computed
/// once a block.
class BlockWise {
public:
    static PolicyInfo info(const std::vector<std::string>& bases);
    static ScoredPolicy::Parts parts(std::unique_ptr<Scorer> base, const ParameterMap& parameters);
};

}  // namespace kvist
