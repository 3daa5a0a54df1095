// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/compact_positions.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/tensor.h>

#include <cmath>

#include "engine/cache/attend_entries.h"
#include "engine/kernels/rotary.h"

namespace kvist {

kernels::AttentionResult CompactPositions::attend(const LayerCache& cache, const at::Tensor& queries,
                                                  const RotaryEmbedding& rotary) {
    const EntryIndex& index = cache.index(0);
    const std::int64_t count = index.count();
    const std::int64_t chunk = queries.size(0);
    const std::vector<std::int64_t> held(cache.held().size(), count - chunk);
    if (index.position(count - 1) == count - 1) {
        return attendEntries(cache, queries, held, false);  // nothing has gone: all stand where they stood
    }
    const RotaryAngles& angles = turn(index, rotary);
    at::Tensor keys = cache.orderedKeys(0);  // [kv_heads, entries, head_dim]
    at::Tensor rows = keys.transpose(0, 1);
    kernels::rotateInPlace(rows, angles.cos, angles.sin);
    at::Tensor turned = queries.to(keys.scalar_type(), false, true);
    kernels::rotateInPlace(turned, angles.cos.narrow(0, count - chunk, chunk),
                           angles.sin.narrow(0, count - chunk, chunk));
    kernels::AttentionResult result =
        kernels::attention({.queries = turned,
                            .keys = keys,
                            .values = cache.orderedValues(0),
                            .held = held,
                            .scale = 1.0 / std::sqrt(static_cast<double>(queries.size(2)))});
    result.context = result.context.to(queries.scalar_type());
    return result;
}

const RotaryAngles& CompactPositions::turn(const EntryIndex& index, const RotaryEmbedding& rotary) {
    std::vector<std::int64_t> positions;
    positions.reserve(static_cast<std::size_t>(index.count()));
    for (std::int64_t i = 0; i < index.count(); ++i) {
        positions.push_back(index.position(i));
    }
    if (positions != m_positions) {
        m_turn = rotary.turn(at::tensor(positions, at::kLong), at::arange(index.count(), at::kLong));
        m_positions = std::move(positions);
    }
    return m_turn;
}

void CompactPositions::clear() {
    m_positions.clear();
    m_turn = {};
}

}  // namespace kvist
