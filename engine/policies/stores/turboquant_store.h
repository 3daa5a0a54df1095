// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/cache/cache_store.h"
#include "engine/policies/stores/store_parameters.h"

namespace kvist {

/// TurboQuant (Zandieh et al. 2025, arXiv 2504.19874): keys and values are turned at random, the same way within a
/// layer, and coded number by number with one codebook (algorithm 1). Keys may be in the form for products without bias
/// (algorithm 2). A fraction of bits is the share of the channels that has one bit more (section 4.3).
class TurboQuantStore : public CacheStore {
public:
    static PolicyInfo info();

    /// Parameters as completed from info(). Throws EngineError(InvalidInput) for a form that does not go with the bits.
    TurboQuantStore(const ParameterMap& parameters, std::uint64_t seed);

    /// Throws EngineError(InvalidInput) where heads have too few channels for bits with a fraction.
    LayerStore layer(std::int64_t layer, const CacheShape& shape) const override;

private:
    RowStore rows(double bits, bool isProduct, std::int64_t layer, const CacheShape& shape) const;

    double m_keyBits;
    double m_valueBits;
    bool m_keysAreProducts;
    std::int64_t m_block;
    std::int64_t m_residual;
    ExemptLayers m_exempt;
    std::uint64_t m_seed;
};

}  // namespace kvist
