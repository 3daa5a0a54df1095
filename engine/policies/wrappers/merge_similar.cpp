// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/wrappers/merge_similar.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/max.h>
#include <ATen/ops/tensor.h>

#include <map>
#include <utility>
#include <vector>

#include "engine/policies/scorers/center_keys.h"
#include "engine/policies/wrappers/base_parameter.h"
#include "engine/policies/wrappers/survivors.h"

namespace kvist {
namespace {

/// Keeps norms of zero vectors from dividing.
constexpr double kTiny = 1e-6;

at::Tensor indices(const std::vector<std::int32_t>& entries, at::Device device) {
    return at::tensor(entries).to(device, at::kLong);
}

/// Of each row the greatest product with any of the others, and which that is. Products of some rows are in memory at a
/// time.
std::pair<at::Tensor, at::Tensor> greatestProducts(const at::Tensor& rows, const at::Tensor& others) {
    constexpr std::int64_t kBlock = 1024;
    std::vector<at::Tensor> products;
    std::vector<at::Tensor> places;
    for (const at::Tensor& some : rows.split(kBlock)) {
        auto [greatest, place] = at::max(at::matmul(some, others.t()), 1);
        products.push_back(std::move(greatest));
        places.push_back(std::move(place));
    }
    return {at::cat(products), at::cat(places)};
}

}  // namespace

PolicyInfo SimilarMerging::info(const std::vector<std::string>& bases) {
    return {.id = "merge-similar",
            .title = "Merge similar",
            .group = "Merging",
            .summary = "Adds the value of an evicted entry to that of the remaining entry with the most similar key.",
            .paper = "after Wan et al. 2024, arXiv 2406.13035, section 4.3, in the form of kvpress",
            .usesBudget = true,
            .isReconstruction = true,
            .parameters = {baseParameter("snapkv", bases),
                           ParameterSpec::real("threshold", "Threshold", 0, 0, 1, "",
                                               "Least cosine of two keys whose values are merged."),
                           centerKeysParameter(), Protection::sinksParameter(0), Protection::recentParameter(0),
                           Protection::intervalParameter(1)}};
}

ScoredPolicy::Parts SimilarMerging::parts(std::unique_ptr<Scorer> base, const ParameterMap& parameters) {
    return {.scorer = std::move(base),
            .protection = Protection::from(parameters),
            .merging = std::make_unique<SimilarMerging>(realOf(parameters, "threshold"),
                                                        booleanOf(parameters, "center_keys"))};
}

std::vector<ValueMerge> SimilarMerging::merges(const LayerView& view, std::size_t set, const PlanContext&,
                                               const std::vector<std::int32_t>& evicted, std::size_t) const {
    const std::vector<std::int32_t> kept = survivors(evicted, view.count(set));
    if (evicted.empty() || kept.empty()) {
        return {};
    }
    // A set is one head's here: heads that merge keep entries of their own.
    const at::Tensor keys = (m_centres ? view.centredKeys(set) : view.keys(set)).select(0, 0);
    const at::Tensor norms = view.values(set).select(0, 0).norm(2, {-1});
    const at::Tensor unit = keys / keys.norm(2, {-1}, true).clamp_min(kTiny);
    const at::Tensor gone = indices(evicted, keys.device());
    const at::Tensor stay = indices(kept, keys.device());
    const auto [cosine, nearest] = greatestProducts(unit.index_select(0, gone), unit.index_select(0, stay));
    const at::Tensor goneNorms = norms.index_select(0, gone);
    const at::Tensor stayNorms = norms.index_select(0, stay).index_select(0, nearest);
    const at::Tensor weights =
        (cosine.clamp_min(0) * cosine.ge(m_threshold) * goneNorms / (goneNorms + stayNorms + kTiny))
            .to(at::kCPU, at::kDouble)
            .contiguous();
    const at::Tensor targets = nearest.to(at::kCPU).contiguous();

    std::map<std::int32_t, double> totals;
    for (std::size_t i = 0; i < evicted.size(); ++i) {
        totals[kept[static_cast<std::size_t>(targets.data_ptr<std::int64_t>()[i])]] += weights.data_ptr<double>()[i];
    }
    std::vector<ValueMerge> merges;
    for (std::size_t i = 0; i < evicted.size(); ++i) {
        const std::int32_t to = kept[static_cast<std::size_t>(targets.data_ptr<std::int64_t>()[i])];
        merges.push_back({evicted[i], to, static_cast<float>(weights.data_ptr<double>()[i] / (1 + totals[to]))});
    }
    for (const auto& [to, total] : totals) {  // (v + sum) / (1 + total) = v + sum / (1 + total) - v total / (1 + total)
        merges.push_back({to, to, static_cast<float>(-total / (1 + total))});
    }
    return merges;
}

}  // namespace kvist
