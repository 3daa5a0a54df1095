// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/cache/cache_store.h"
#include "engine/policies/stores/store_parameters.h"

namespace kvist {

/// ThinK (Xu et al. 2024, arXiv 2407.21018, section 3.3): keys lose the channels that matter least for the latest
/// queries, and really are held narrower. The paper chooses once for a whole prompt; here each block of tokens that
/// leaves the tail has channels of its own.
class ThinkStore : public CacheStore {
public:
    static PolicyInfo info();

    /// Parameters as completed from info().
    explicit ThinkStore(const ParameterMap& parameters);

    LayerStore layer(std::int64_t layer, const CacheShape& shape) const override;
    std::int64_t queryWindow() const override { return m_window; }

private:
    double m_pruned;
    std::int64_t m_window;
    std::int64_t m_block;
    std::int64_t m_residual;
    bool m_mergesGroups;
    ExemptLayers m_exempt;
};

}  // namespace kvist
