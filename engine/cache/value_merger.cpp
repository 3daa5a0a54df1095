// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/value_merger.h"

#include <ATen/ops/tensor.h>

#include <map>
#include <vector>

namespace kvist {

void mergeValues(const at::Tensor& values, const EntryIndex& index, std::span<const ValueMerge> merges) {
    if (merges.empty()) {
        return;
    }
    std::map<std::int32_t, std::int64_t> rowOf;  // of each entry that gets something
    std::vector<std::int64_t> targets;
    std::vector<std::int64_t> sources;
    std::vector<std::int64_t> rows;
    std::vector<float> weights;
    for (const ValueMerge& merge : merges) {
        const auto [place, isNew] = rowOf.try_emplace(merge.to, static_cast<std::int64_t>(targets.size()));
        if (isNew) {
            targets.push_back(static_cast<std::int64_t>(index.slot(merge.to)));
        }
        rows.push_back(place->second);
        sources.push_back(static_cast<std::int64_t>(index.slot(merge.from)));
        weights.push_back(merge.weight);
    }
    const auto onDevice = [&](const auto& numbers) { return at::tensor(numbers).to(values.device()); };
    const auto type = values.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor into = onDevice(targets);
    const at::Tensor added =
        values.index_select(1, onDevice(sources)).to(type) * onDevice(weights).to(type).unsqueeze(1);
    at::Tensor sums = values.index_select(1, into).to(type);  // [heads, targets, head_dim]
    sums.index_add_(1, onDevice(rows), added);
    at::Tensor(values).index_copy_(1, into, sums.to(values.scalar_type()));
}

}  // namespace kvist
