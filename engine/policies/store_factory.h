// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/api/policy_catalog.h"
#include "engine/cache/cache_store.h"

namespace kvist {

/// A store of the catalog and how it is made from complete parameters and the run's seed.
struct StoreEntry {
    PolicyInfo info;
    std::function<std::shared_ptr<const CacheStore>(const ParameterMap&, std::uint64_t)> make;
};

/// The list of stores. A new one is added there and nowhere else.
const std::vector<StoreEntry>& storeEntries();

/// How a cache holds entries, by a store's id. Missing parameters take their defaults; `seed` is the run's. Throws
/// EngineError(InvalidInput) for unknown ids and parameters and values out of range.
std::shared_ptr<const CacheStore> makeStore(const std::string& id, const ParameterMap& parameters,
                                            std::uint64_t seed = 0);

}  // namespace kvist
