// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/stores/turboquant_store.h"

#include "engine/cache/codecs/rotation_codec.h"
#include "engine/policies/stores/random_rotation.h"

namespace kvist {
namespace {

constexpr int kFullPrecision = 16;

}  // namespace

PolicyInfo TurboQuantStore::info() {
    const std::vector<std::string> bits = {"1", "2", "3", "4", "16"};
    return {
        .id = "turboquant",
        .title = "TurboQuant",
        .group = kStoreGroup,
        .summary =
            "Keeps every entry, turned by a random matrix and coded number by number with the best codebook for a "
            "random direction; no look at the data.",
        .paper = "Zandieh et al. 2025, arXiv 2504.19874, algorithm 1",
        .usesBudget = false,
        .isReconstruction = false,
        .isStore = true,
        .parameters = {bitsParameter("key_bits", "Key bits", "4", bits, "Bits of a key's codes; 16: not coded."),
                       bitsParameter("value_bits", "Value bits", "4", bits, "Bits of a value's codes; 16: not coded."),
                       residualParameter(0, "Newest entries in full precision."), ExemptLayers::firstParameter(1),
                       ExemptLayers::lastParameter(1)},
        .needs = "nothing",
        .saves = "bytes held and read: the bits a number, and 16 bits a vector",
        .costs = "a rotation of every key and value, and decoding in every step; the layer's rotation matrix"};
}

TurboQuantStore::TurboQuantStore(const ParameterMap& parameters, std::uint64_t seed)
    : m_keyBits(static_cast<int>(bitsOf(parameters, "key_bits"))),
      m_valueBits(static_cast<int>(bitsOf(parameters, "value_bits"))),
      m_residual(integerOf(parameters, "residual")),
      m_exempt(ExemptLayers::from(parameters)),
      m_seed(seed) {}

LayerStore TurboQuantStore::layer(std::int64_t layer, const CacheShape& shape) const {
    if (m_exempt.contains(layer, shape) || (m_keyBits == kFullPrecision && m_valueBits == kFullPrecision)) {
        return {};
    }
    const at::Tensor rotation = randomRotation(shape.headDim, m_seed, layer);
    const auto rows = [&](int bits) {
        return bits == kFullPrecision
                   ? RowStore{}
                   : RowStore{.codec = std::make_shared<RotationCodec>(rotation, bits), .tail = m_residual, .step = 1};
    };
    return {.keys = rows(m_keyBits), .values = rows(m_valueBits)};
}

}  // namespace kvist
