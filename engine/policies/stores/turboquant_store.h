// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/cache/cache_store.h"
#include "engine/policies/stores/store_parameters.h"

namespace kvist {

/// TurboQuant in its form for small mean square error (Zandieh et al. 2025, arXiv 2504.19874, algorithm 1): keys and
/// values are turned at random, the same way within a layer, and coded number by number with one codebook.
class TurboQuantStore : public CacheStore {
public:
    static PolicyInfo info();

    /// Parameters as completed from info().
    TurboQuantStore(const ParameterMap& parameters, std::uint64_t seed);

    LayerStore layer(std::int64_t layer, const CacheShape& shape) const override;

private:
    int m_keyBits;
    int m_valueBits;
    std::int64_t m_residual;
    ExemptLayers m_exempt;
    std::uint64_t m_seed;
};

}  // namespace kvist
