// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>

#include <algorithm>

#include "engine/runtime/stop.h"
#include "engine/session/session.h"

namespace kvist {
namespace {

/// Random rows that are generated for a filled cache; longer caches repeat them.
constexpr std::int64_t kRandomRows = 4096;

}  // namespace

void Session::fillLayer(std::int64_t layer, std::int64_t depth, const at::Tensor& keys, const at::Tensor& values) {
    LayerCache& cache = m_cache.layer(layer);
    const bool isPruned = m_policy.schedule() != PlanSchedule::Never;
    const std::int64_t entries = std::min({depth, m_cache.shape().capacity, isPruned ? layerBudget(layer) : depth});
    const std::int64_t sinks = std::min(m_policy.sinks(), entries);
    const auto append = [&](std::int64_t count, std::int64_t position) {
        for (std::int64_t done = 0; done < count; done += keys.size(0)) {
            const std::int64_t size = std::min(keys.size(0), count - done);
            cache.append(keys.narrow(0, 0, size), values.narrow(0, 0, size), position + done);
            cache.settle();
        }
    };
    append(sinks, 0);
    append(entries - sinks, depth - (entries - sinks));
}

void Session::fillRandomly(std::int64_t depth, std::uint64_t seed, const std::stop_token& stop) {
    reset();
    const CacheShape& shape = m_cache.shape();
    const at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(seed);
    const auto randomRows = [&](std::int64_t rowCount, std::int64_t heads) {
        return at::randn({rowCount, heads, shape.headDim}, generator, at::TensorOptions(at::kFloat))
            .to(shape.device, shape.type);
    };
    const std::int64_t rowCount = std::min({depth, shape.capacity, kRandomRows});
    const at::Tensor keys = randomRows(rowCount, shape.kvHeads);
    const at::Tensor values = randomRows(rowCount, shape.kvHeads);
    const std::int64_t window = std::min(depth, m_needs.queryWindow);
    const at::Tensor queries = randomRows(window, m_decoder.config().queryHeads);
    const std::int64_t shown = std::min(depth, m_storeQueries.front().window());
    const at::Tensor storeQueries = shown > 0 ? randomRows(shown, m_decoder.config().queryHeads) : at::Tensor();
    for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
        throwIfStopped(stop);
        fillLayer(layer, depth, keys, values);
        if (window > 0) {
            m_queries[static_cast<std::size_t>(layer)].append(queries, depth - window);
        }
        if (shown > 0) {
            m_storeQueries[static_cast<std::size_t>(layer)].append(storeQueries, depth - shown);
        }
        LayerCache& cache = m_cache.layer(layer);
        for (std::size_t set = 0; set < cache.indexes(); ++set) {
            const std::int64_t entries = cache.index(set).count();
            for (std::size_t column = 0; column < m_needs.columns; ++column) {
                const at::Tensor random = at::rand({entries}, generator, at::TensorOptions(at::kFloat));
                std::copy_n(random.data_ptr<float>(), entries, cache.index(set).column(column).begin());
            }
        }
    }
    m_tokensSeen = depth;
    if (m_options.protocol == SessionProtocol::PrefillThenDecode) {
        m_promptLength = depth;
        m_phase = PlanPhase::Decode;
    }
}

}  // namespace kvist
