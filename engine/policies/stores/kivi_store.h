// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/cache/cache_store.h"
#include "engine/policies/stores/store_parameters.h"

namespace kvist {

/// KIVI (Liu et al. 2024, arXiv 2402.02750, section 3.3 and algorithm 1): keys in groups of tokens by channel, coded
/// when the tail has `residual` of them; values token by token, coded when `residual` newer ones are there.
class KiviStore : public CacheStore {
public:
    static PolicyInfo info();

    /// Parameters as completed from info().
    explicit KiviStore(const ParameterMap& parameters);

    LayerStore layer(std::int64_t layer, const CacheShape& shape) const override;

private:
    int m_keyBits;
    int m_valueBits;
    std::int64_t m_group;
    std::int64_t m_residual;
    bool m_mergesGroups;
    ExemptLayers m_exempt;
};

}  // namespace kvist
