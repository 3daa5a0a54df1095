// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <map>

#include "tests/engine/support/policies.h"

namespace kvist::testing {

/// When a plan was made: which layer, after how many tokens, down to how many entries.
struct PlanMoment {
    std::int64_t layer = 0;
    std::int64_t tokensSeen = 0;
    std::int64_t target = 0;

    auto operator<=>(const PlanMoment&) const = default;
};

/// Positions that stay, by moment.
using PlanLog = std::map<PlanMoment, std::vector<std::int64_t>>;

/// Writes down what each plan keeps.
class RecordingPolicy : public PolicyWrapper {
public:
    using PolicyWrapper::PolicyWrapper;

    EvictionPlan plan(const LayerView& view, const PlanContext& context) override {
        EvictionPlan plan = PolicyWrapper::plan(view, context);
        std::vector<std::int64_t>& kept = m_log[{context.layer, context.tokensSeen, context.target}];
        auto gone = plan.evicted.at(0).begin();
        for (std::int64_t entry = 0; entry < view.count(0); ++entry) {
            if (gone != plan.evicted[0].end() && *gone == entry) {
                ++gone;
            } else {
                kept.push_back(view.position(0, entry));
            }
        }
        return plan;
    }

    const PlanLog& log() const { return m_log; }

private:
    PlanLog m_log;
};

/// Keeps what a log says at the moments that it names, and elsewhere what the policy itself decides.
class ReplayingPolicy : public PolicyWrapper {
public:
    ReplayingPolicy(std::unique_ptr<PruningPolicy> inner, PlanLog log,
                    PlanDependence dependence = PlanDependence::Layer)
        : PolicyWrapper(std::move(inner)), m_log(std::move(log)), m_dependence(dependence) {}

    PlanDependence dependence() const override { return m_dependence; }

    EvictionPlan plan(const LayerView& view, const PlanContext& context) override {
        const auto found = m_log.find({context.layer, context.tokensSeen, context.target});
        if (found == m_log.end()) {
            return PolicyWrapper::plan(view, context);
        }
        std::vector<std::int32_t> gone;
        for (std::int32_t entry = 0; entry < view.count(0); ++entry) {
            if (!std::binary_search(found->second.begin(), found->second.end(), view.position(0, entry))) {
                gone.push_back(entry);
            }
        }
        return {{std::move(gone)}};
    }

private:
    PlanLog m_log;
    PlanDependence m_dependence;
};

/// Whole plans by moment: who goes, by places in order of position, and which values stay behind.
using PlanTape = std::map<PlanMoment, EvictionPlan>;

/// Writes down every plan.
class TapingPolicy : public PolicyWrapper {
public:
    using PolicyWrapper::PolicyWrapper;

    EvictionPlan plan(const LayerView& view, const PlanContext& context) override {
        EvictionPlan plan = PolicyWrapper::plan(view, context);
        m_tape[{context.layer, context.tokensSeen, context.target}] = plan;
        return plan;
    }

    const PlanTape& tape() const { return m_tape; }

private:
    PlanTape m_tape;
};

/// Makes the plans of a tape, chunk after chunk through all layers.
class PlayingPolicy : public PolicyWrapper {
public:
    PlayingPolicy(std::unique_ptr<PruningPolicy> inner, PlanTape tape)
        : PolicyWrapper(std::move(inner)), m_tape(std::move(tape)) {}

    PlanDependence dependence() const override { return PlanDependence::Model; }

    EvictionPlan plan(const LayerView&, const PlanContext& context) override {
        ++m_played;
        return m_tape.at({context.layer, context.tokensSeen, context.target});
    }

    std::size_t played() const { return m_played; }

private:
    PlanTape m_tape;
    std::size_t m_played = 0;
};

}  // namespace kvist::testing
