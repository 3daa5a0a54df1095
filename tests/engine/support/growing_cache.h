// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>

#include <cmath>
#include <vector>

#include "engine/kernels/attention.h"
#include "engine/model/attention.h"

namespace kvist::testing {

/// Everything is kept, by concatenation: a stand-in for the real cache that is too simple to be wrong.
class GrowingCache : public CacheAttention {
public:
    explicit GrowingCache(std::int64_t layers) : m_keys(layers), m_values(layers) {}

    at::Tensor attend(std::int64_t layer, const Projection& projection) override {
        at::Tensor& keys = m_keys[static_cast<std::size_t>(layer)];
        at::Tensor& values = m_values[static_cast<std::size_t>(layer)];
        const std::int64_t before = keys.defined() ? keys.size(1) : 0;
        keys = grown(keys, projection.keys.transpose(0, 1));
        values = grown(values, projection.values.transpose(0, 1));
        const std::vector<std::int64_t> held(static_cast<std::size_t>(keys.size(0)), before);
        const double scale = 1.0 / std::sqrt(static_cast<double>(keys.size(2)));
        return kernels::attentionReference({projection.queries.contiguous(), keys, values, held, scale, false}).context;
    }

private:
    static at::Tensor grown(const at::Tensor& old, const at::Tensor& added) {
        return old.defined() ? at::cat({old, added}, 1) : added.contiguous();
    }

    std::vector<at::Tensor> m_keys;  // [kv_heads, tokens, head_dim]
    std::vector<at::Tensor> m_values;
};

}  // namespace kvist::testing
