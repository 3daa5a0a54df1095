// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/attention.h"

#include "engine/kernels/linear.h"
#include "engine/kernels/rotary.h"
#include "engine/model/weights.h"

namespace kvist {

Attention::Attention(const ModelConfig& config, const Weights& weights, const std::string& prefix,
                     const WeightForm& form)
    : m_queryHeads(config.queryHeads), m_kvHeads(config.kvHeads), m_headDim(config.headDim) {
    const std::int64_t queryRows = m_queryHeads * m_headDim;
    const std::int64_t kvRows = m_kvHeads * m_headDim;
    const at::Tensor fused = at::empty({queryRows + 2 * kvRows, config.hiddenSize}, form.options);
    m_qkvBias = at::empty({queryRows + 2 * kvRows}, form.options);
    std::int64_t row = 0;
    for (const auto& [name, rows] : {std::pair{"q_proj", queryRows}, {"k_proj", kvRows}, {"v_proj", kvRows}}) {
        weights.copyTo(prefix + name + ".weight", fused.narrow(0, row, rows));
        weights.copyTo(prefix + name + ".bias", m_qkvBias.narrow(0, row, rows));
        row += rows;
    }
    m_qkvWeight = form.matrix(fused);
    const at::Tensor output = at::empty({config.hiddenSize, queryRows}, form.options);
    weights.copyTo(prefix + "o_proj.weight", output);
    m_outputWeight = form.matrix(output);
}

Projection Attention::project(const at::Tensor& x, const RotaryAngles& angles) const {
    const at::Tensor qkv = kernels::linear(x, m_qkvWeight, m_qkvBias).view({x.size(0), -1, m_headDim});
    Projection projection{qkv.narrow(1, 0, m_queryHeads), qkv.narrow(1, m_queryHeads, m_kvHeads),
                          qkv.narrow(1, m_queryHeads + m_kvHeads, m_kvHeads), x};
    kernels::rotateInPlace(projection.queries, angles.cos, angles.sin);
    kernels::rotateInPlace(projection.keys, angles.cos, angles.sin);
    return projection;
}

at::Tensor Attention::forward(const at::Tensor& x, const RotaryAngles& angles, std::int64_t layer,
                              CacheAttention& cache) const {
    const at::Tensor context = cache.attend(layer, project(x, angles));
    return kernels::linear(context, m_outputWeight, {});
}

}  // namespace kvist
