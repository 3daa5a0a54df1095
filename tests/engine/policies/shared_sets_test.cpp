// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/shared_sets_policy.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/policies/policy_factory.h"
#include "engine/session/session.h"
#include "tests/engine/support/calibrations.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using ::testing::Each;
using Sharing = SharedSetsPolicy::Sharing;

constexpr std::int64_t kLayers = 3;
constexpr std::int64_t kHeads = 2;
constexpr std::int64_t kPrompt = 40;
constexpr std::int64_t kBudget = 20;

const Decoder& decoder() {
    static const Decoder loaded = testing::loadDecoder(testing::tinyModel("untied"), at::kFloat);
    return loaded;
}

float scoreOf(std::int64_t layer, std::int64_t head, std::int64_t position) {
    return static_cast<float>((7 * layer + 13 * head + position * (5 * layer + 3 * head + 11)) % 31);
}

class FormulaScorer : public Scorer {
public:
    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext& context) const override {
        const std::int64_t heads = view.sets() == 1 ? kHeads : 1;
        at::Tensor result = at::empty({heads, view.count(set)});
        for (std::int64_t head = 0; head < heads; ++head) {
            for (std::int64_t i = 0; i < view.count(set); ++i) {
                result[head][i] = scoreOf(context.layer, head + static_cast<std::int64_t>(set), view.position(set, i));
            }
        }
        return result;
    }
};

/// The same number for every entry.
class EqualScorer : public Scorer {
public:
    explicit EqualScorer(float score) : m_score(score) {}
    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext&) const override {
        return at::full({1, view.count(set)}, m_score);
    }

private:
    float m_score;
};

std::vector<std::int64_t> positionsOf(const LayerCache& cache, std::size_t head) {
    const EntryIndex& index = cache.index(cache.indexes() == 1 ? 0 : head);
    std::vector<std::int64_t> positions;
    for (std::int64_t i = 0; i < index.count(); ++i) {
        positions.push_back(index.position(i));
    }
    return positions;
}

/// Positions 0 and 1, 38 and 39 and those of the highest scores between them.
std::vector<std::int64_t> best(const std::function<float(std::int64_t)>& score) {
    std::vector<std::int64_t> order;
    for (std::int64_t position = 2; position < kPrompt - 2; ++position) {
        order.push_back(position);
    }
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return score(a) > score(b); });
    order.resize(kBudget - 4);
    order.insert(order.end(), {0, 1, kPrompt - 2, kPrompt - 1});
    std::sort(order.begin(), order.end());
    return order;
}

using Kept = std::vector<std::vector<std::vector<std::int64_t>>>;  // by KV head and layer

Kept keptBy(std::unique_ptr<Scorer> scorer, Sharing sharing) {
    SharedSetsPolicy policy(std::move(scorer), {.sinks = 2, .recent = 2}, sharing);
    Session session(decoder(), policy,
                    {.budget = kBudget, .chunk = 8, .longest = 60, .protocol = SessionProtocol::PrefillThenDecode});
    session.feed(testing::someTokens(kPrompt));
    session.endPrompt();
    Kept kept(kHeads);
    for (std::size_t head = 0; head < kHeads; ++head) {
        for (std::int64_t layer = 0; layer < kLayers; ++layer) {
            kept[head].push_back(positionsOf(session.cache().layer(layer), head));
        }
    }
    return kept;
}

TEST(SharedSets, LayersKeepTheHighestMeans) {
    const auto kept = keptBy(std::make_unique<FormulaScorer>(), Sharing::Layers);
    for (std::int64_t head = 0; head < kHeads; ++head) {
        EXPECT_THAT(kept[static_cast<std::size_t>(head)], Each(best([&](std::int64_t position) {
                        return scoreOf(0, head, position) + scoreOf(1, head, position) + scoreOf(2, head, position);
                    })));
    }
    EXPECT_NE(kept[0], kept[1]);
}

TEST(SharedSets, HeadsKeepTheHighestScoresOfAny) {
    const auto highest = best([&](std::int64_t position) {
        float most = 0;
        for (std::int64_t layer = 0; layer < kLayers; ++layer) {
            for (std::int64_t head = 0; head < kHeads; ++head) {
                most = std::max(most, scoreOf(layer, head, position));
            }
        }
        return most;
    });
    const auto kept = keptBy(std::make_unique<FormulaScorer>(), Sharing::Heads);
    EXPECT_THAT(kept[0], Each(highest));
    EXPECT_EQ(kept[0], kept[1]);
}

TEST(SharedSets, OfEqualScoresTheLowerPositionsStayAndNanIsRefused) {
    for (const Sharing sharing : {Sharing::Layers, Sharing::Heads}) {
        const auto lowest = best([](std::int64_t) { return 0.5F; });
        EXPECT_EQ(lowest[kBudget - 3], kBudget - 3);
        EXPECT_THAT(keptBy(std::make_unique<EqualScorer>(0.5F), sharing), Each(Each(lowest)));
        EXPECT_THAT([&] { keptBy(std::make_unique<EqualScorer>(std::nanf("")), sharing); },
                    testing::throwsEngineError(ErrorKind::Numerical, "NaN"));
    }
}

TEST(SharedSets, AreAChoiceOfTriAttention) {
    const auto make = [](const ParameterMap& parameters) {
        auto policy = makePolicy("triattention", parameters);
        testing::giveCalibration(*policy, decoder().config());
        return policy;
    };
    EXPECT_EQ(make({})->dependence(), PlanDependence::Layer);
    EXPECT_TRUE(make({})->needs().perHead);
    const auto layers = make({{"shared_sets", std::string("layers")}});
    EXPECT_EQ(layers->dependence(), PlanDependence::Model);
    EXPECT_TRUE(layers->needs().perHead);
    EXPECT_EQ(layers->planInterval(), 128) << "as every form of it";
    const auto heads = make({{"shared_sets", std::string("heads")}});
    EXPECT_FALSE(heads->needs().perHead);
    Session session(decoder(), *heads, {.budget = kBudget, .chunk = 8, .longest = 90});
    session.feed(testing::someTokens(90));
    for (std::int64_t layer = 1; layer < kLayers; ++layer) {
        EXPECT_EQ(positionsOf(session.cache().layer(layer), 1), positionsOf(session.cache().layer(0), 0));
    }
    EXPECT_THAT(
        [] {
            makePolicy("triattention", {{"shared_sets", std::string("heads")}, {"skip_layers", std::int64_t{1}}});
        },
        testing::throwsEngineError(ErrorKind::InvalidInput, "shared_sets"));
    EXPECT_THAT(
        [] {
            makePolicy("adakv", {{"base", std::string("triattention")}, {"shared_sets", std::string("heads")}});
        },
        testing::throwsEngineError(ErrorKind::InvalidInput, "shared_sets"));
}

}  // namespace
}  // namespace kvist
