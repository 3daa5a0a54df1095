// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/layer_view.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>

#include <cmath>
#include <limits>

#include "engine/api/engine_error.h"
#include "engine/kernels/rotary.h"

namespace kvist {
namespace {

at::ScalarType workingType(const at::Tensor& tensor) {
    return tensor.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

at::Tensor rotated(const at::Tensor& rows, const at::Tensor& cos, const at::Tensor& sin) {
    at::Tensor copy = rows.clone();
    kernels::rotateInPlace(copy, cos, sin);
    return copy;
}

}  // namespace

const LayerQueries& LayerView::queries() const {
    if (queryCount() == 0) {
        throw EngineError(ErrorKind::Internal, "a policy asked for queries that it did not declare");
    }
    return *m_queries;
}

const RotaryEmbedding& LayerView::rotary() const {
    if (m_rotary == nullptr) {
        throw EngineError(ErrorKind::Internal, "a policy asked for vectors before rotation without the rotation");
    }
    return *m_rotary;
}

at::Tensor LayerView::positions(std::size_t set) const {
    at::Tensor result = at::empty({count(set)}, at::kLong);
    auto* next = result.data_ptr<std::int64_t>();
    for (std::int64_t entry = 0; entry < count(set); ++entry) {
        *next++ = position(set, entry);
    }
    return result;
}

std::vector<float> LayerView::column(std::size_t set, std::size_t column, std::int64_t begin, std::int64_t end) const {
    const EntryIndex& index = m_cache.index(set);
    const auto values = index.column(column);
    std::vector<float> result(static_cast<std::size_t>(end - begin));
    for (std::int64_t entry = begin; entry < end; ++entry) {
        result[static_cast<std::size_t>(entry - begin)] = values[index.slot(entry)];
    }
    return result;
}

at::Tensor LayerView::keys(std::size_t set) const {
    return m_cache.orderedKeys(set);
}

at::Tensor LayerView::values(std::size_t set) const {
    return m_cache.orderedValues(set);
}

at::Tensor LayerView::centredKeys(std::size_t set) const {
    const RotaryAngles angles = rotary().angles(positions(set));
    const at::Tensor held = keys(set).transpose(0, 1).contiguous();  // [entries, heads, head_dim]
    const RotaryAngles inverse = rotary().inverse(angles);
    const at::Tensor plain = rotated(held, inverse.cos, inverse.sin);
    return rotated(plain - plain.mean(0, true), angles.cos, angles.sin).transpose(0, 1);
}

at::Tensor LayerView::unrotatedQueries() const {
    const at::Tensor held = queries().rotated();
    const RotaryAngles inverse = rotary().inverse(rotary().angles(firstQuery(), queryCount()));
    return rotated(held.to(workingType(held)), inverse.cos, inverse.sin);
}

at::Tensor LayerView::attentionLogits(std::size_t set) const {
    const at::Tensor keys = this->keys(set);  // [heads, entries, head_dim]
    const std::int64_t heads = keys.size(0);
    const std::int64_t group = queries().rotated().size(1) / static_cast<std::int64_t>(m_cache.held().size());
    const at::Tensor own = queries()
                               .rotated()
                               .narrow(1, static_cast<std::int64_t>(set) * heads * group, heads * group)
                               .to(keys.scalar_type())
                               .transpose(0, 1)
                               .reshape({heads, group * queryCount(), keys.size(2)});
    return at::matmul(own, keys.transpose(1, 2))
        .mul_(1.0 / std::sqrt(static_cast<double>(keys.size(2))))
        .view({heads, group, queryCount(), keys.size(1)});
}

at::Tensor LayerView::attentionRows(std::size_t set) const {
    at::Tensor logits = attentionLogits(set);
    const at::Tensor at = at::arange(firstQuery(), firstQuery() + queryCount(), at::kLong);
    const at::Tensor hidden = positions(set).unsqueeze(0).gt(at.unsqueeze(1)).to(logits.device());
    // A query that sees nothing of what is held has no row: 0 / 0 becomes 0.
    return at::softmax(logits.masked_fill_(hidden, -std::numeric_limits<double>::infinity()), -1)
        .masked_fill_(hidden, 0.0);
}

}  // namespace kvist
