// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/cache/layer_cache.h"
#include "engine/model/decoder.h"

namespace kvist {

/// One layer during an extra pass.
struct ProbedLayer {
    std::int64_t layer = 0;
    at::Tensor queries;                  ///< [tokens, query_heads, head_dim] of the pass, rotated
    at::Tensor input;                    ///< [tokens, hidden] that they were projected from
    std::int64_t first = 0;              ///< position of the pass's first token
    const LayerCache& cache;             ///< what is held, followed by the pass's own entries in the last slots
    std::span<const std::int64_t> held;  ///< entries of each KV head before the pass
};

/// Extra passes through the model for a policy, when a prompt has ended and before it is pruned. A pass leaves the
/// cache as it was.
class ModelProbe {
public:
    virtual ~ModelProbe() = default;

    /// Feeds tokens after the prompt, seeing what is held and each other causally; `visit` is called in every layer
    /// after its attention. Hidden states after the final norm, [tokens, hidden]. At most PolicyNeeds::probeTokens
    /// tokens (EngineError(Internal)).
    virtual at::Tensor forward(std::span<const std::int32_t> tokens,
                               const std::function<void(const ProbedLayer&)>& visit) = 0;

    /// Ids of a text without special tokens.
    virtual std::vector<std::int32_t> encode(std::string_view text) const = 0;

    /// Weights: logits(), outputWeight(), config().
    virtual const Decoder& decoder() const = 0;
};

}  // namespace kvist
