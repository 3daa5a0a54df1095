// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scored_policy.h"

namespace kvist {

/// Lower layers hold more, higher ones less, in equal steps (Cai et al. 2024, arXiv 2406.02069, section 3.2): of
/// what a layer may hold beside the entries that always stay, the last one gets the share 1 / beta. Where that is
/// less than one entry, all layers get the same.
class PyramidBudgets : public LayerBudgets {
public:
    static PolicyInfo info(const std::vector<std::string>& bases);
    static ScoredPolicy::Parts parts(std::unique_ptr<Scorer> base, const ParameterMap& parameters);

    explicit PyramidBudgets(double beta) : m_beta(beta) {}

    std::int64_t entries(std::int64_t budget, std::int64_t fixed, std::int64_t layer,
                         std::int64_t layers) const override;

private:
    double m_beta;
};

}  // namespace kvist
