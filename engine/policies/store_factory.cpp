// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/store_factory.h"

#include <algorithm>

#include "engine/api/catalog_entry.h"
#include "engine/api/engine_error.h"
#include "engine/policies/stores/kivi_store.h"
#include "engine/policies/stores/think_store.h"
#include "engine/policies/stores/turboquant_store.h"

namespace kvist {
namespace {

template <typename Store>
StoreEntry stored() {
    return {Store::info(), [](const ParameterMap& parameters, std::uint64_t seed) -> std::shared_ptr<const CacheStore> {
                if constexpr (std::is_constructible_v<Store, const ParameterMap&, std::uint64_t>) {
                    return std::make_shared<Store>(parameters, seed);
                } else {
                    return std::make_shared<Store>(parameters);
                }
            }};
}

const StoreEntry& find(const std::string& id) {
    return catalogEntry(storeEntries(), "store", id, [](const StoreEntry& entry) { return entry.info.id; });
}

/// Extents of a model's cache with numbers of so many bytes.
CacheShape shapeOf(const ModelInfo& model, int elementBytes) {
    const auto type = elementBytes == 8 ? at::kDouble : elementBytes == 4 ? at::kFloat : at::kHalf;
    return {model.layers, model.kvHeads, model.headDim, 1, type, at::kCPU};
}

}  // namespace

const std::vector<StoreEntry>& storeEntries() {
    static const std::vector<StoreEntry> list = {stored<KiviStore>(), stored<TurboQuantStore>(), stored<ThinkStore>()};
    return list;
}

std::shared_ptr<const CacheStore> makeStore(const std::string& id, const ParameterMap& parameters, std::uint64_t seed) {
    const StoreEntry& entry = find(id);
    const ParameterMap given = completed(entry.info.parameters, parameters, "store " + id);
    return entry.make(withOptional(entry.info.parameters, given), seed);
}

const PolicyInfo& storeInfo(const std::string& store, const std::string& policy) {
    const PolicyInfo& info = find(store).info;
    if (policyInfo(policy).isStore) {
        throw EngineError(ErrorKind::InvalidInput, "policy " + policy +
                                                       " is a store itself and cannot have the store " + store +
                                                       "; choose policy full with one of them as its store");
    }
    return info;
}

std::int64_t heldBytes(const RunConfig& config, const ModelInfo& model, int elementBytes, std::int64_t entries) {
    if (!config.store.empty()) {
        storeInfo(config.store, config.policy);
        return makeStore(config.store, config.storeParameters)->bytes(shapeOf(model, elementBytes), entries);
    }
    if (policyInfo(config.policy).isStore) {
        return makeStore(config.policy, config.policyParameters)->bytes(shapeOf(model, elementBytes), entries);
    }
    return entries * model.kvBytesPerToken(elementBytes);
}

}  // namespace kvist
