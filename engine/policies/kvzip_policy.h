// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/api/policy_catalog.h"
#include "engine/policies/pruning_policy.h"

namespace kvist {

/// What the model looks at while it repeats the prompt stays (Kim et al. 2025, arXiv 2505.23416, section 3): when the
/// prompt has ended, an instruction to repeat it and the prompt itself are fed again, part by part, and an entry is
/// worth the greatest attention that any of these queries pays to it among sinks, part and repetition. The lowest
/// scores of all layers and heads together go. Scores are kept until the prompt is compressed. KVzip+ (kvpress) weighs
/// attention by what it adds to the output: the length of the value after the output projection over that of the input
/// of the query's layer.
class KvZipPolicy : public PruningPolicy {
public:
    static PolicyInfo info();

    /// Parameters as completed from info().
    explicit KvZipPolicy(const ParameterMap& parameters);

    PolicyNeeds needs() const override;
    PlanDependence dependence() const override { return PlanDependence::Model; }
    PlanSchedule schedule() const override { return PlanSchedule::PrefillEnd; }
    bool needsPrompt() const override { return true; }
    std::int64_t sinks() const override { return m_sinks; }
    std::optional<std::int64_t> bound(std::int64_t) const override { return std::nullopt; }
    std::int64_t stateBytes() const override;
    void reset() override { m_scores.clear(); }
    void prefillEnd(ModelProbe& probe, const PlanContext& context) override;
    /// Plans follow from all layers: EngineError(Internal).
    EvictionPlan plan(const LayerView& view, const PlanContext& context) override;
    std::vector<EvictionPlan> planAll(const CacheView& view, const PlanContext& context) override;

    /// Factors of the probabilities; undefined: 1.
    struct Factors {
        at::Tensor ofQueries = {};  ///< [queries]
        at::Tensor ofEntries = {};  ///< [group, part]
    };

    /// The greatest probability, times its factors, that queries [queries, group, head_dim] of one KV head give to each
    /// entry of a part: softmax over keys [sinks + part + queries, head_dim], of which the last are the queries' own
    /// and causal.
    static at::Tensor greatestAttention(const at::Tensor& queries, const at::Tensor& keys, std::int64_t sinks,
                                        std::int64_t part, const Factors& factors);

    /// Lengths of values [entries, head_dim] of one KV head after the output projection of each head of its group,
    /// `weight` [hidden, group · head_dim]: [group, entries].
    static at::Tensor outputLengths(const at::Tensor& values, const at::Tensor& weight);

private:
    std::int64_t m_sinks;
    std::int64_t m_part;
    bool m_normalises;
    std::vector<std::vector<std::vector<float>>> m_scores;  // by layer, KV head and position
};

}  // namespace kvist
