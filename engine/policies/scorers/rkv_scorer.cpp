// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/scorers/rkv_scorer.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/max_pool1d.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "engine/policies/protection.h"
#include "engine/policies/scorers/center_keys.h"

namespace kvist {

PolicyInfo RkvScorer::info() {
    return {.id = "rkv",
            .title = "R-KV",
            .group = "Keys and values alone",
            .summary =
                "Keeps the entries to which the last queries pay attention and whose keys are not repeated by "
                "others.",
            .paper = "Cai et al. 2025, arXiv 2505.24133, section 3",
            .usesBudget = true,
            .isReconstruction = false,
            .parameters = {ParameterSpec::integer("window", "Window", 8, 1, 4096, "tokens",
                                                  "Last tokens, whose queries judge the other entries and whose own "
                                                  "entries stay."),
                           ParameterSpec::integer("kernel", "Kernel", 7, 1, 255, "entries",
                                                  "Neighbouring entries over which the largest attention counts; odd."),
                           ParameterSpec::real("importance", "Importance", 0.07, 0, 1, "",
                                               "Weight of attention; the rest is the weight of redundancy."),
                           ParameterSpec::real("threshold", "Threshold", 0.5, 0, 1, "",
                                               "Cosine from which on two keys count as repeated."),
                           centerKeysParameter(), Protection::sinksParameter(0), Protection::intervalParameter(128)}};
}

RkvScorer::RkvScorer(const ParameterMap& parameters)
    : m_window(integerOf(parameters, "window")),
      m_kernel(integerOf(parameters, "kernel") | 1),
      m_importance(realOf(parameters, "importance")),
      m_threshold(realOf(parameters, "threshold")),
      m_centres(booleanOf(parameters, "center_keys")) {}

at::Tensor RkvScorer::redundancy(const at::Tensor& keys, double threshold, std::int64_t block) {
    const std::int64_t count = keys.size(1);
    const at::Tensor unit = keys / (keys.norm(2, {-1}, true) + 1e-8);
    const at::Tensor index = at::arange(count, unit.options().dtype(at::kLong));
    at::Tensor sums = at::zeros({keys.size(0), count}, unit.options());
    for (std::int64_t first = 0; first < count; first += block) {
        const std::int64_t rows = std::min(block, count - first);
        at::Tensor cosines = at::matmul(unit.narrow(1, first, rows), unit.transpose(1, 2));  // [heads, rows, entries]
        cosines.narrow(2, first, rows).diagonal(0, 1, 2).fill_(0.0);
        const at::Tensor newest = at::where(cosines.gt(threshold), index, -1).amax({2}, true);
        cosines.masked_fill_(index.eq(newest), 0.0);
        sums += cosines.sum(1);
    }
    return (sums / static_cast<double>(count)).softmax(-1);
}

at::Tensor RkvScorer::scores(const LayerView& view, std::size_t set, const PlanContext&) const {
    const std::int64_t queries = view.queryCount();
    const std::int64_t judged = view.count(set) - queries;
    const at::Tensor redundant = redundancy(m_centres ? view.centredKeys(set) : view.keys(set), m_threshold);
    if (judged <= 0) {
        return -redundant;
    }
    const at::Tensor logits = view.attentionLogits(set).amax({1}).narrow(2, 0, judged);  // [heads, queries, judged]
    const at::Tensor attention = at::max_pool1d(logits.softmax(-1).mean(1), m_kernel, 1, m_kernel / 2);
    return m_importance * at::constant_pad_nd(attention, {0, queries}) - (1.0 - m_importance) * redundant;
}

}  // namespace kvist
