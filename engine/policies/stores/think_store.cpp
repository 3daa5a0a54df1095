// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/stores/think_store.h"

#include <algorithm>

#include "engine/cache/codecs/narrow_codec.h"

namespace kvist {

PolicyInfo ThinkStore::info() {
    return {.id = "think",
            .title = "ThinK",
            .group = kStoreGroup,
            .summary = "Keeps every entry, but only those channels of older keys that matter for the latest queries.",
            .paper = "Xu et al. 2024, arXiv 2407.21018, section 3.3",
            .usesBudget = false,
            .isReconstruction = true,
            .isStore = true,
            .parameters = {ParameterSpec::real("pruned", "Pruned channels", 0.4, 0, 0.95, "",
                                               "Share of the channels of each KV head's keys that go."),
                           ParameterSpec::integer("window", "Query window", 32, 1, 4096, "tokens",
                                                  "Latest tokens whose queries judge the channels."),
                           ParameterSpec::integer("block", "Block", 128, 1, 4096, "tokens",
                                                  "Tokens whose keys lose the same channels."),
                           residualParameter(32, "Newest keys that keep all channels."),
                           ParameterSpec::boolean("merge_groups", "Merge blocks", true,
                                                  "Join neighbouring blocks that evictions have left half empty, by "
                                                  "the size of their keys; off: they keep their memory."),
                           ExemptLayers::firstParameter(), ExemptLayers::lastParameter()},
            .needs = "the queries of the last tokens",
            .saves = "bytes of keys held and read: the share of pruned channels, but for the residual",
            .costs = "the queries of the window; the numbers of the channels of each block"};
}

ThinkStore::ThinkStore(const ParameterMap& parameters)
    : m_pruned(realOf(parameters, "pruned")),
      m_window(integerOf(parameters, "window")),
      m_block(integerOf(parameters, "block")),
      m_residual(integerOf(parameters, "residual")),
      m_mergesGroups(booleanOf(parameters, "merge_groups")),
      m_exempt(ExemptLayers::from(parameters)) {}

LayerStore ThinkStore::layer(std::int64_t layer, const CacheShape& shape) const {
    const auto pruned = static_cast<std::int64_t>(static_cast<double>(shape.headDim) * m_pruned);
    if (m_exempt.contains(layer, shape) || pruned == 0) {
        return {};
    }
    return {.keys = {.codec = std::make_shared<NarrowCodec>(
                         shape.headDim, m_block, std::max<std::int64_t>(1, shape.headDim - pruned), shape.type),
                     .tail = m_residual,
                     .step = m_block},
            .values = {},
            .mergesSparse = m_mergesGroups};
}

}  // namespace kvist
