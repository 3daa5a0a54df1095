// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/decoder.h"

#include "engine/api/engine_error.h"
#include "engine/kernels/linear.h"
#include "engine/kernels/rms_norm.h"
#include "engine/model/weights.h"
#include "engine/runtime/stop.h"

namespace kvist {
namespace {

at::Tensor idTensor(std::span<const std::int32_t> tokens, std::int64_t vocabulary) {
    at::Tensor ids = at::empty({static_cast<std::int64_t>(tokens.size())}, at::kLong);
    auto* data = ids.data_ptr<std::int64_t>();
    for (const std::int32_t token : tokens) {
        if (token < 0 || token >= vocabulary) {
            throw EngineError(ErrorKind::InvalidInput,
                              "token " + std::to_string(token) + " is beyond the model's vocabulary of " +
                                  std::to_string(vocabulary) + "; tokenizer and weights do not belong together");
        }
        *data++ = token;
    }
    return ids;
}

}  // namespace

Decoder::Decoder(const ModelConfig& config, const Weights& weights, const WeightForm& form, std::stop_token stop)
    : m_config(config),
      m_embedding(at::empty({config.vocabularySize, config.hiddenSize}, form.options)),
      m_norm(at::empty({config.hiddenSize}, form.options)),
      m_rotary(config.headDim, config.ropeTheta, form.options, config.yarn) {
    weights.copyTo("model.embed_tokens.weight", m_embedding);
    m_layers.reserve(static_cast<std::size_t>(config.layers));
    for (std::int64_t layer = 0; layer < config.layers; ++layer) {
        throwIfStopped(stop);
        m_layers.emplace_back(config, weights, layer, form);
    }
    weights.copyTo("model.norm.weight", m_norm);
    at::Tensor head = m_embedding;
    if (!config.tiedEmbeddings) {
        head = at::empty_like(m_embedding);
        weights.copyTo("lm_head.weight", head);
    }
    m_head = form.matrix(head);
}

at::Tensor Decoder::forward(std::span<const std::int32_t> tokens, std::int64_t first, CacheAttention& cache,
                            const ForwardOptions& options) const {
    const auto count = static_cast<std::int64_t>(tokens.size());
    at::Tensor x = m_embedding.index_select(0, idTensor(tokens, m_config.vocabularySize).to(device()));
    const RotaryAngles angles = m_rotary.angles(first, count);
    std::int64_t done = 0;
    for (const DecoderLayer& layer : m_layers) {
        throwIfStopped(options.stop);
        x = layer.forward(x, angles, cache);
        if (options.checksFinite && !at::isfinite(x).all().item<bool>()) {
            throw EngineError(ErrorKind::Numerical, "NaN or infinity after layer " + std::to_string(done) +
                                                        ", tokens " + std::to_string(first) + " to " +
                                                        std::to_string(first + count - 1) +
                                                        "; try dtype float32 or bfloat16");
        }
        ++done;
        if (options.onLayerDone) {
            options.onLayerDone(done);
        }
    }
    return kernels::rmsNorm(x, m_norm, m_config.rmsNormEps);
}

at::Tensor Decoder::forward(const at::Tensor& ids, const at::Tensor& positions, CacheAttention& cache) const {
    at::Tensor x = m_embedding.index_select(0, ids);
    const RotaryAngles angles = m_rotary.angles(positions);
    for (const DecoderLayer& layer : m_layers) {
        x = layer.forward(x, angles, cache);
    }
    return kernels::rmsNorm(x, m_norm, m_config.rmsNormEps);
}

at::Tensor Decoder::logits(const at::Tensor& hidden) const {
    return kernels::linear(hidden, m_head, {});
}

std::int64_t Decoder::weightBytesPerStep() const {
    std::int64_t bytes = m_norm.nbytes() + m_head.bytes();
    for (const DecoderLayer& layer : m_layers) {
        bytes += layer.weightBytes();
    }
    return bytes;
}

}  // namespace kvist
