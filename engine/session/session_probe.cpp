// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/session_probe.h"

#include <algorithm>
#include <numeric>

#include "engine/api/engine_error.h"
#include "engine/cache/attend_entries.h"

namespace kvist {

at::Tensor SessionProbe::forward(std::span<const std::int32_t> tokens,
                                 const std::function<void(const ProbedLayer&)>& visit) {
    const auto count = static_cast<std::int64_t>(tokens.size());
    if (count > m_parts.mostTokens) {
        throw EngineError(ErrorKind::Internal, "a policy asked for a pass of " + std::to_string(count) +
                                                   " tokens and declared " + std::to_string(m_parts.mostTokens));
    }
    m_visit = visit;
    m_mostExtra = std::max(m_mostExtra, count);
    return m_parts.decoder.forward(tokens, m_parts.first, *this, m_parts.options);
}

std::vector<std::int32_t> SessionProbe::encode(std::string_view text) const {
    if (m_parts.tokenizer == nullptr) {
        throw EngineError(ErrorKind::Internal, "a policy asked for a tokenizer that the session was not given");
    }
    return m_parts.tokenizer->encode(text);
}

at::Tensor SessionProbe::attend(std::int64_t layer, const Projection& projection) {
    LayerCache& cache = m_parts.cache.layer(layer);
    const std::int64_t count = projection.queries.size(0);
    const std::vector<std::int64_t> held(cache.held().begin(), cache.held().end());
    cache.append(projection.keys, projection.values, m_parts.first);
    const at::Tensor context = attendEntries(cache, projection.queries, held, false).context;
    m_visit({layer, projection.queries, projection.input, m_parts.first, cache, held});
    EvictionPlan plan;
    for (std::size_t set = 0; set < cache.indexes(); ++set) {
        std::vector<std::int32_t>& last = plan.evicted.emplace_back(static_cast<std::size_t>(count));
        std::iota(last.begin(), last.end(), static_cast<std::int32_t>(cache.index(set).count() - count));
    }
    cache.apply(plan);
    return context;
}

}  // namespace kvist
