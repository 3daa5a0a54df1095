// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/stores/turboquant_store.h"

#include <algorithm>
#include <cmath>

#include "engine/api/engine_error.h"
#include "engine/cache/codecs/outlier_codec.h"
#include "engine/cache/codecs/product_codec.h"
#include "engine/cache/codecs/rotation_codec.h"
#include "engine/policies/stores/random_rotation.h"

namespace kvist {
namespace {

constexpr double kFullPrecision = 16;
constexpr std::int64_t kLeastChannels = 4;  // for which there are codebooks
constexpr const char* kMeanSquare = "mean-square";
constexpr const char* kProduct = "product";
constexpr const char* kFractions =
    "; with a fraction, that share of the channels has one bit more: .25 is 32 of 128, "
    "which the paper counts as .5";

}  // namespace

PolicyInfo TurboQuantStore::info() {
    const std::vector<std::string> bits = {"1", "2", "2.25", "2.5", "3", "3.25", "3.5", "4", "16"};
    return {.id = "turboquant",
            .title = "TurboQuant",
            .group = kStoreGroup,
            .summary =
                "Keeps every entry, turned by a random matrix and coded number by number with the best codebook for a "
                "random direction; no look at the data.",
            .paper = "Zandieh et al. 2025, arXiv 2504.19874, algorithms 1 and 2",
            .usesBudget = false,
            .isReconstruction = false,
            .isStore = true,
            .parameters = {bitsParameter("key_bits", "Key bits", "4", bits,
                                         std::string("Bits of a number of a key; 16: not coded") + kFractions + '.'),
                           bitsParameter("value_bits", "Value bits", "4", bits,
                                         std::string("Bits of a number of a value; 16: not coded") + kFractions + '.'),
                           ParameterSpec::choice(
                               "key_form", "Key form", kMeanSquare, {kMeanSquare, kProduct},
                               "mean-square: keys nearest to the true ones. product: one of the bits is the sign of "
                               "a projection of what the others leave, so that products with queries have no bias; "
                               "2 to 4 bits.")
                               .asOptional(),
                           ParameterSpec::integer(
                               "block", "Block", 128, 1, 4096, "tokens",
                               "Tokens with the same outlier channels where bits have a fraction; they are coded "
                               "together.")
                               .asOptional(),
                           residualParameter(0, "Newest entries in full precision."), ExemptLayers::firstParameter(1),
                           ExemptLayers::lastParameter(1)},
            .needs = "nothing",
            .saves = "bytes held and read: the bits a number, and 16 bits a vector",
            .costs = "a rotation of every key and value, and decoding in every step; the layer's rotation matrix"};
}

TurboQuantStore::TurboQuantStore(const ParameterMap& parameters, std::uint64_t seed)
    : m_keyBits(bitsOf(parameters, "key_bits")),
      m_valueBits(bitsOf(parameters, "value_bits")),
      m_keysAreProducts(choiceOf(parameters, "key_form") == kProduct),
      m_block(integerOf(parameters, "block")),
      m_residual(integerOf(parameters, "residual")),
      m_exempt(ExemptLayers::from(parameters)),
      m_seed(seed) {
    if (m_keysAreProducts && (m_keyBits < 2 || m_keyBits > 4 || m_keyBits != std::floor(m_keyBits))) {
        throw EngineError(ErrorKind::InvalidInput, "turboquant: key_form product needs 2, 3 or 4 bits, not " +
                                                       choiceOf(parameters, "key_bits") +
                                                       "; change key_bits, or key_form to mean-square");
    }
}

RowStore TurboQuantStore::rows(double bits, bool isProduct, std::int64_t layer, const CacheShape& shape) const {
    if (bits == kFullPrecision) {
        return {};
    }
    const auto codec = [&](std::int64_t channels, std::int64_t number, int wholeBits) {
        return std::make_shared<RotationCodec>(randomRotation(channels, m_seed, number), wholeBits);
    };
    const int whole = static_cast<int>(bits);
    if (bits > whole) {
        if (shape.headDim < 2 * kLeastChannels) {
            throw EngineError(ErrorKind::InvalidInput, "turboquant: heads of " + std::to_string(shape.headDim) +
                                                           " channels have no outliers; choose whole bits");
        }
        const std::int64_t share = std::llrint((bits - whole) * static_cast<double>(shape.headDim));
        const std::int64_t outliers = std::clamp(share, kLeastChannels, shape.headDim - kLeastChannels);
        return {.codec = std::make_shared<OutlierCodec>(codec(outliers, layer, whole + 1),
                                                        codec(shape.headDim - outliers, layer + shape.layers, whole),
                                                        m_block),
                .tail = m_residual,
                .step = m_block};
    }
    if (isProduct) {
        return {.codec = std::make_shared<ProductCodec>(codec(shape.headDim, layer, whole - 1),
                                                        randomNormal(shape.headDim, m_seed, layer)),
                .tail = m_residual};
    }
    return {.codec = codec(shape.headDim, layer, whole), .tail = m_residual};
}

LayerStore TurboQuantStore::layer(std::int64_t layer, const CacheShape& shape) const {
    if (m_exempt.contains(layer, shape)) {
        return {};
    }
    return {.keys = rows(m_keyBits, m_keysAreProducts, layer, shape), .values = rows(m_valueBits, false, layer, shape)};
}

}  // namespace kvist
