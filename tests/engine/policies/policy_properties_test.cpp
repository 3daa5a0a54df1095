// SPDX-License-Identifier: GPL-3.0-or-later
// What every policy of the catalog owes, on layers of random shapes.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/engine/support/calibrations.h"
#include "tests/engine/support/catalog_policies.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/fed_layer.h"

namespace kvist {
namespace {

using testing::CatalogCase;
using testing::FedLayer;

struct Shape {
    std::int64_t kvHeads = 1;
    std::int64_t group = 1;
    std::int64_t headDim = 4;
};

at::Tensor normal(std::int64_t tokens, std::int64_t heads, std::int64_t size) {
    return at::randn({tokens, heads, size});
}

class PolicyProperties : public ::testing::TestWithParam<CatalogCase> {
protected:
    void SetUp() override { at::manual_seed(11); }

    std::unique_ptr<PruningPolicy> m_policy = GetParam().make();

    FedLayer layerOf(const Shape& shape) const {
        ModelConfig config;
        config.layers = 1;
        config.queryHeads = shape.kvHeads * shape.group;
        config.kvHeads = shape.kvHeads;
        config.headDim = shape.headDim;
        testing::giveCalibration(*m_policy, config);
        return FedLayer({1, shape.kvHeads, shape.headDim, 256, at::kFloat, at::kCPU}, m_policy->needs());
    }

    void feed(FedLayer& layer, const Shape& shape, std::int64_t tokens) {
        layer.feed(*m_policy, layer.rotated(normal(tokens, shape.kvHeads * shape.group, shape.headDim)),
                   layer.rotated(normal(tokens, shape.kvHeads, shape.headDim)),
                   normal(tokens, shape.kvHeads, shape.headDim),
                   normal(12, 1, shape.kvHeads * shape.group * shape.headDim).squeeze(1));
    }

    std::int64_t parameter(const char* name) const {
        const auto found = GetParam().parameters.find(name);
        return found == GetParam().parameters.end() ? 0 : std::get<std::int64_t>(found->second);
    }

    /// Plans, checks everything that a plan owes, and applies it.
    void plan(FedLayer& layer, std::int64_t target, std::int64_t coming) {
        const std::int64_t heads = static_cast<std::int64_t>(layer.cache().held().size());
        const auto before = layer.positions();
        const PlanContext context{0, target, layer.tokensSeen(), coming};
        const EvictionPlan plan = m_policy->plan(layer.view(), context);
        EXPECT_EQ(m_policy->plan(layer.view(), context).evicted, plan.evicted) << "planning changes nothing";
        layer.apply(plan);
        if (m_policy->bound(target)) {
            EXPECT_LE(layer.cache().mostHeld(), *m_policy->bound(target));
        }
        EXPECT_LE(layer.cache().totalHeld(), *m_policy->layerBound(target, heads));
        // Recent entries and windows are kept as far as the target has room beside the sinks.
        const std::int64_t asked = std::max(parameter("recent"), parameter("window"));
        const std::int64_t sure = std::min(asked, target - m_policy->sinks());
        for (std::size_t head = 0; head < before.size(); ++head) {
            const std::vector<std::int64_t> now = layer.positions()[head];
            for (std::int64_t sink = 0; sink < std::min(m_policy->sinks(), layer.tokensSeen()); ++sink) {
                ASSERT_LT(static_cast<std::size_t>(sink), now.size());
                EXPECT_EQ(now[static_cast<std::size_t>(sink)], sink);
            }
            const bool makesRoomAhead = coming > 0 && (parameter("block") > coming || GetParam().id == "duoattention");
            for (std::int64_t i = 1; i <= sure && !makesRoomAhead; ++i) {
                const std::int64_t recent = layer.tokensSeen() - i;
                if (std::binary_search(before[head].begin(), before[head].end(), recent)) {
                    EXPECT_THAT(now, ::testing::Contains(recent));
                }
            }
            EXPECT_TRUE(std::is_sorted(now.begin(), now.end()));
            EXPECT_TRUE(std::includes(before[head].begin(), before[head].end(), now.begin(), now.end()));
        }
    }
};

TEST_P(PolicyProperties, PlansKeepTheirPromisesOnRandomShapes) {
    std::mt19937 random(5);
    const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    for (int trial = 0; trial < 12; ++trial) {
        const Shape shape{draw(1, 3), draw(1, 3), 2 * draw(1, 4)};
        const std::int64_t budget = m_policy->sinks() + 2 + draw(0, 24);
        SCOPED_TRACE("heads " + std::to_string(shape.kvHeads) + ", budget " + std::to_string(budget));
        FedLayer layer = layerOf(shape);
        while (layer.tokensSeen() < 80) {
            const std::int64_t chunk = std::min<std::int64_t>(draw(1, 9), budget - m_policy->sinks() - 1);
            plan(layer, std::max(m_policy->sinks() + 1, budget - chunk), chunk);
            feed(layer, shape, chunk);
            EXPECT_LE(layer.cache().totalHeld(), budget * shape.kvHeads) << "during a chunk";
            plan(layer, budget, 0);
        }
    }
}

TEST_P(PolicyProperties, PromptsAroundWindowAndBudgetPruneAtOnce) {
    const Shape shape{2, 2, 4};
    const std::int64_t window = std::max<std::int64_t>(1, parameter("window"));
    constexpr std::int64_t kBudget = 20;
    for (const std::int64_t length :
         {std::int64_t{1}, window - 1, window, window + 1, kBudget - 1, kBudget, kBudget + 1, 3 * kBudget}) {
        for (const std::int64_t target : {m_policy->sinks() + 1, m_policy->sinks() + 2, kBudget}) {
            SCOPED_TRACE("length " + std::to_string(length) + ", target " + std::to_string(target));
            FedLayer layer = layerOf(shape);
            if (length > 0) {
                feed(layer, shape, length);
            }
            plan(layer, target, 0);
            if (length <= target) {
                EXPECT_EQ(layer.cache().totalHeld(), 2 * length) << "nothing goes while the target is not exceeded";
            }
        }
    }
}

TEST_P(PolicyProperties, EqualEntriesAreNoDifficulty) {
    const Shape shape{2, 2, 4};
    FedLayer layer = layerOf(shape);
    const at::Tensor queries = at::zeros({40, 4, 4});
    const at::Tensor rows = at::ones({40, 2, 4});
    layer.feed(*m_policy, queries, rows, rows, at::ones({12, 16}));
    plan(layer, 15, 0);
    EXPECT_GT(layer.cache().totalHeld(), 15);
}

TEST_P(PolicyProperties, NanIsRefusedWhereItWouldDecide) {
    const Shape shape{2, 2, 4};
    FedLayer layer = layerOf(shape);
    const at::Tensor nan = at::full({40, 2, 4}, std::numeric_limits<float>::quiet_NaN());
    layer.feed(*m_policy, at::zeros({40, 4, 4}), nan, nan, at::ones({12, 16}));
    const auto base = GetParam().parameters.find("base");
    const std::string scorer =
        base == GetParam().parameters.end() ? GetParam().id : std::get<std::string>(base->second);
    const bool weighsValues = GetParam().id == "criticalkv";
    const bool goesByPosition = scorer == "window" || scorer == "random" || scorer == "duoattention";
    if (!weighsValues && goesByPosition) {
        EXPECT_NO_THROW(m_policy->plan(layer.view(), {0, 15, 40}));
    } else if (!weighsValues && scorer == "lagkv") {
        // Ranks of NaN are ranks; the session refuses NaN in the layer's output.
        EXPECT_NO_THROW(m_policy->plan(layer.view(), {0, 35, 40}));
    } else {
        EXPECT_THAT(
            [&] {
                m_policy->plan(layer.view(), {0, 15, 40});
            },
            testing::throwsEngineError(ErrorKind::Numerical, "NaN"));
    }
}

INSTANTIATE_TEST_SUITE_P(Catalog, PolicyProperties, ::testing::ValuesIn(testing::layerPolicies()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace kvist
