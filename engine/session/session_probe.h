// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>

#include "engine/cache/kv_cache.h"
#include "engine/model/decoder.h"
#include "engine/policies/model_probe.h"
#include "engine/text/tokenizer.h"

namespace kvist {

/// Extra passes over a session's cache: each layer's new entries are appended, seen, and taken away again.
class SessionProbe : public ModelProbe, private CacheAttention {
public:
    struct Parts {
        const Decoder& decoder;
        KvCache& cache;
        const Tokenizer* tokenizer = nullptr;
        std::int64_t first = 0;       ///< position of the first token of a pass
        std::int64_t mostTokens = 0;  ///< of a pass
        ForwardOptions options = {};
    };

    explicit SessionProbe(Parts parts) : m_parts(std::move(parts)) {}

    at::Tensor forward(std::span<const std::int32_t> tokens,
                       const std::function<void(const ProbedLayer&)>& visit) override;
    std::vector<std::int32_t> encode(std::string_view text) const override;
    const Decoder& decoder() const override { return m_parts.decoder; }

    /// Entries that the longest pass so far held beside the cache.
    std::int64_t mostExtra() const { return m_mostExtra; }

private:
    at::Tensor attend(std::int64_t layer, const Projection& projection) override;

    const Parts m_parts;
    std::function<void(const ProbedLayer&)> m_visit;
    std::int64_t m_mostExtra = 0;
};

}  // namespace kvist
