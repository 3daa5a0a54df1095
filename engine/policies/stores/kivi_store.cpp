// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/stores/kivi_store.h"

#include <algorithm>

#include "engine/cache/codecs/channel_codec.h"
#include "engine/cache/codecs/token_codec.h"

namespace kvist {
namespace {

constexpr int kFullPrecision = 16;

}  // namespace

PolicyInfo KiviStore::info() {
    const std::vector<std::string> bits = {"2", "4", "8", "16"};
    return {
        .id = "kivi",
        .title = "KIVI",
        .group = kStoreGroup,
        .summary =
            "Keeps every entry, older ones in few bits: keys by channel over groups of tokens, values by token over "
            "groups of channels.",
        .paper = "Liu et al. 2024, arXiv 2402.02750, algorithm 1",
        .usesBudget = false,
        .isReconstruction = false,
        .isStore = true,
        .parameters = {bitsParameter("key_bits", "Key bits", "4", bits, "Bits of a key's codes; 16: not coded."),
                       bitsParameter("value_bits", "Value bits", "4", bits, "Bits of a value's codes; 16: not coded."),
                       ParameterSpec::integer("group", "Group", 32, 1, 1024, "numbers",
                                              "Numbers that share a scale and a minimum: tokens of a key's "
                                              "channel, channels of a value."),
                       residualParameter(128,
                                         "Newest entries in full precision: exactly so many values, and at "
                                         "most so many keys, which are coded all at once."),
                       ParameterSpec::boolean("merge_groups", "Merge groups", true,
                                              "Decode and code anew neighbouring groups of keys that evictions "
                                              "have left half empty; off: they keep their memory."),
                       ExemptLayers::firstParameter(), ExemptLayers::lastParameter()},
        .needs = "nothing",
        .saves = "bytes held and read: bits + 32 / group bits a number in place of 16 or 32, but for the residual",
        .costs = "decoding in every step; scales and minima in float16"};
}

KiviStore::KiviStore(const ParameterMap& parameters)
    : m_keyBits(static_cast<int>(bitsOf(parameters, "key_bits"))),
      m_valueBits(static_cast<int>(bitsOf(parameters, "value_bits"))),
      m_group(integerOf(parameters, "group")),
      m_residual(integerOf(parameters, "residual")),
      m_mergesGroups(booleanOf(parameters, "merge_groups")),
      m_exempt(ExemptLayers::from(parameters)) {}

LayerStore KiviStore::layer(std::int64_t layer, const CacheShape& shape) const {
    LayerStore store{.keys = {}, .values = {}, .mergesSparse = m_mergesGroups};
    if (m_exempt.contains(layer, shape)) {
        return store;
    }
    if (m_keyBits < kFullPrecision) {
        store.keys = {.codec = std::make_shared<ChannelCodec>(shape.headDim, m_group, m_keyBits),
                      .tail = 0,
                      .step = std::max<std::int64_t>(1, (m_residual + m_group - 1) / m_group) * m_group};
    }
    if (m_valueBits < kFullPrecision) {
        store.values = {
            .codec = std::make_shared<TokenCodec>(shape.headDim, m_group, m_valueBits), .tail = m_residual, .step = 1};
    }
    return store;
}

}  // namespace kvist
