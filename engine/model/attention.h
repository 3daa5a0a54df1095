// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "engine/model/model_config.h"
#include "engine/model/rotary_embedding.h"
#include "engine/model/weight_form.h"

namespace kvist {

class Weights;

/// Queries, keys and values of some tokens in one layer, rotated to their positions.
struct Projection {
    at::Tensor queries;     ///< [tokens, query_heads, head_dim]
    at::Tensor keys;        ///< [tokens, kv_heads, head_dim]
    at::Tensor values;      ///< [tokens, kv_heads, head_dim]
    at::Tensor input = {};  ///< [tokens, hidden], what they were projected from
};

/// The part of attention that meets the cache: stores the new keys and values, and weighs what is held.
class CacheAttention {
public:
    virtual ~CacheAttention() = default;
    /// Returns the context, [tokens, query_heads · head_dim], in the projection's type.
    virtual at::Tensor attend(std::int64_t layer, const Projection& projection) = 0;
};

/// Grouped-query attention with biases on query, key and value (Qwen2 technical report, arXiv 2407.10671,
/// section 2.2.1). The three projections are one fused matrix.
class Attention {
public:
    Attention(const ModelConfig& config, const Weights& weights, const std::string& prefix, const WeightForm& form);

    /// x [tokens, hidden] → [tokens, hidden].
    at::Tensor forward(const at::Tensor& x, const RotaryAngles& angles, std::int64_t layer,
                       CacheAttention& cache) const;

    Projection project(const at::Tensor& x, const RotaryAngles& angles) const;

    /// [hidden, query_heads · head_dim]; made for the call where it is held in 8 bits.
    at::Tensor outputWeight() const { return kernels::dense(m_outputWeight, m_qkvBias.scalar_type()); }

    std::int64_t weightBytes() const { return m_qkvWeight.bytes() + m_qkvBias.nbytes() + m_outputWeight.bytes(); }

private:
    std::int64_t m_queryHeads;
    std::int64_t m_kvHeads;
    std::int64_t m_headDim;
    kernels::Matrix m_qkvWeight;     // [(query_heads + 2 kv_heads) · head_dim, hidden]
    at::Tensor m_qkvBias;            // [(query_heads + 2 kv_heads) · head_dim]
    kernels::Matrix m_outputWeight;  // [hidden, query_heads · head_dim]
};

}  // namespace kvist
