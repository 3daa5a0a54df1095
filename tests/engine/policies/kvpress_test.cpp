// SPDX-License-Identifier: GPL-3.0-or-later
// Scores and kept sets against NVIDIA's kvpress (tests/data/policies/make_scores.py).
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/policies/duo_attention_policy.h"
#include "engine/policies/policy_factory.h"
#include "engine/policies/scorers/cur_scorer.h"
#include "engine/policies/scorers/expected_attention_scorer.h"
#include "engine/policies/scorers/finch_scorer.h"
#include "engine/policies/scorers/h2o_scorer.h"
#include "engine/policies/scorers/keydiff_scorer.h"
#include "engine/policies/scorers/knorm_scorer.h"
#include "engine/policies/scorers/lagkv_scorer.h"
#include "engine/policies/scorers/position_scorer.h"
#include "engine/policies/scorers/snapkv_scorer.h"
#include "engine/policies/scorers/tova_scorer.h"
#include "engine/policies/sim_layer_policy.h"
#include "engine/policies/window_policy.h"
#include "engine/policies/wrappers/adakv.h"
#include "engine/policies/wrappers/block.h"
#include "engine/policies/wrappers/cam.h"
#include "engine/policies/wrappers/chunkkv.h"
#include "engine/policies/wrappers/criticalkv.h"
#include "engine/policies/wrappers/merge_similar.h"
#include "engine/policies/wrappers/pyramidkv.h"
#include "tests/engine/support/fed_layer.h"
#include "tests/engine/support/golden_files.h"

namespace kvist {
namespace {

using nlohmann::json;
using testing::FedLayer;
using Positions = std::vector<std::vector<std::int64_t>>;

constexpr std::int64_t kTokens = 100;
constexpr std::int64_t kQueryHeads = 4;
constexpr std::int64_t kKvHeads = 2;
constexpr std::int64_t kHeadDim = 8;
constexpr std::int64_t kHidden = 12;
constexpr std::int64_t kKept = 50;

const json& golden() {
    static const json data = json::parse(testing::readBytes(testing::dataFolder() / "policies" / "scores.json"));
    return data;
}

at::Tensor input(const char* name, at::IntArrayRef shape) {
    const auto numbers = golden().at("inputs").at(name).get<std::vector<double>>();
    return at::tensor(numbers, at::kDouble).view(shape);
}

template <typename T>
ParameterMap parameters(const ParameterMap& given, const std::vector<std::string>& bases = {"snapkv", "keydiff"}) {
    if constexpr (std::is_invocable_v<decltype(&T::info), const std::vector<std::string>&>) {
        return completed(T::info(bases).parameters, given, "");
    } else {
        return completed(T::info().parameters, given, "");
    }
}

template <typename T>
std::unique_ptr<Scorer> scorer(const ParameterMap& given = {}) {
    return std::make_unique<T>(parameters<T>(given));
}

std::unique_ptr<Scorer> snapKv() {
    return scorer<SnapKvScorer>({{"window", std::int64_t{16}}});
}

std::unique_ptr<Scorer> finch() {
    return scorer<FinchScorer>({{"window", std::int64_t{16}}});
}

std::unique_ptr<Scorer> plainKeyDiff() {
    return scorer<KeyDiffScorer>({{"center_keys", false}});
}

/// The golden layer, of which the first `m_fed` tokens have been fed.
class GoldenLayer {
public:
    explicit GoldenLayer(PolicyNeeds needs) : m_layer({1, kKvHeads, kHeadDim, kTokens, at::kDouble, at::kCPU}, needs) {}

    template <typename Observer>
    FedLayer& feed(Observer& observer, std::int64_t count, std::int64_t chunk) {
        for (const std::int64_t end = m_fed + count; m_fed < end;) {
            const std::int64_t size = std::min(chunk, end - m_fed);
            m_layer.feed(observer, m_layer.rotated(m_queries.narrow(0, m_fed, size)),
                         m_layer.rotated(m_keys.narrow(0, m_fed, size)), m_values.narrow(0, m_fed, size), m_output);
            m_fed += size;
        }
        return m_layer;
    }

private:
    const at::Tensor m_queries = input("queries", {kTokens, kQueryHeads, kHeadDim});
    const at::Tensor m_keys = input("keys", {kTokens, kKvHeads, kHeadDim});
    const at::Tensor m_values = input("values", {kTokens, kKvHeads, kHeadDim});
    const at::Tensor m_output = input("output", {kHidden, kQueryHeads* kHeadDim});
    FedLayer m_layer;
    std::int64_t m_fed = 0;
};

/// Compares entries [0, judged); kvpress puts the largest value and one on those that it protects.
void expectScores(const char* name, Scorer& own, std::int64_t first, std::int64_t end) {
    for (const std::int64_t chunk : {kTokens, std::int64_t{7}}) {
        PolicyNeeds needs = own.needs();
        needs.perHead = true;
        GoldenLayer golden_layer(needs);
        const LayerView view = golden_layer.feed(own, kTokens, chunk).view();
        for (std::size_t head = 0; head < kKvHeads; ++head) {
            const auto expected = golden().at("scores").at(name).at(head).get<std::vector<double>>();
            const at::Tensor scores = own.scores(view, head, {0, kKept, kTokens}).mean(0).to(at::kDouble);
            ASSERT_EQ(scores.size(0), kTokens);
            for (std::int64_t i = first; i < end; ++i) {
                EXPECT_NEAR(scores[i].item<double>(), expected[static_cast<std::size_t>(i)], 2e-6)
                    << name << ", head " << head << ", entry " << i << ", chunk " << chunk;
            }
        }
    }
}

TEST(KvPress, ScoresAgree) {
    expectScores("snapkv", *snapKv(), 0, kTokens - 16);
    expectScores("finch", *finch(), 0, kTokens - 16);
    expectScores("finch-plain", *scorer<FinchScorer>({{"window", std::int64_t{16}}, {"normalise", false}}), 0,
                 kTokens - 16);
    expectScores("h2o", *scorer<H2oScorer>({{"per_query", true}}), 0, kTokens);
    expectScores("knorm", *scorer<KnormScorer>(), 0, kTokens);
    expectScores("keydiff", *plainKeyDiff(), 0, kTokens);
    expectScores("cur", *scorer<CurScorer>(), 4, kTokens);
    for (const char* leverage : {"key", "value", "mean"}) {
        expectScores((std::string("cur-") + leverage).c_str(),
                     *scorer<CurScorer>({{"leverage", std::string(leverage)}}), 4, kTokens);
    }
    expectScores("lagkv", *scorer<LagKvScorer>({{"lag", std::int64_t{16}}}), 0, kTokens);
    expectScores("expected-attention",
                 *scorer<ExpectedAttentionScorer>({{"future", std::int64_t{64}}, {"epsilon", 0.01}}), 4, kTokens);
    expectScores("expected-attention-mean",
                 *scorer<ExpectedAttentionScorer>({{"future", std::int64_t{64}}, {"covariance", false}}), 4, kTokens);
}

TEST(KvPress, TovaAgreesOverAllHeads) {
    const auto own = scorer<TovaScorer>();
    GoldenLayer layer(own->needs());
    const at::Tensor scores =
        own->scores(layer.feed(*own, kTokens, 9).view(), 0, {0, kKept, kTokens}).mean(0).to(at::kDouble);
    const auto expected = golden().at("scores").at("tova").at(0).get<std::vector<double>>();
    for (std::int64_t i = 0; i + 1 < kTokens; ++i) {
        EXPECT_NEAR(scores[i].item<double>(), expected[static_cast<std::size_t>(i)], 2e-6) << i;
    }
}

Positions keptBy(PruningPolicy& policy, std::int64_t target) {
    GoldenLayer golden_layer(policy.needs());
    FedLayer& layer = golden_layer.feed(policy, kTokens, 7);
    layer.apply(policy.plan(layer.view(), {0, target, kTokens}));
    return layer.positions();
}

Positions keptBy(ScoredPolicy::Parts parts) {
    ScoredPolicy policy(std::move(parts));
    return keptBy(policy, kKept);
}

Positions expectedKept(const char* name) {
    return golden().at("kept").at(name).get<Positions>();
}

TEST(KvPress, ScorersKeepTheSame) {
    EXPECT_EQ(keptBy({.scorer = snapKv()}), expectedKept("snapkv"));
    EXPECT_EQ(keptBy({.scorer = finch()}), expectedKept("finch"));
    EXPECT_EQ(keptBy({.scorer = scorer<KnormScorer>()}), expectedKept("knorm"));
    EXPECT_EQ(keptBy({.scorer = plainKeyDiff()}), expectedKept("keydiff"));
    // kvpress forces the newest entry in.
    EXPECT_EQ(keptBy({.scorer = scorer<TovaScorer>(), .protection = {.recent = 1}, .perHead = false}),
              expectedKept("tova"));
    EXPECT_EQ(keptBy({.scorer = scorer<ExpectedAttentionScorer>({{"future", std::int64_t{64}}, {"epsilon", 0.01}}),
                      .protection = {.sinks = 4}}),
              expectedKept("expected-attention"));
    EXPECT_EQ(keptBy({.scorer = scorer<CurScorer>(), .protection = {.sinks = 4}}), expectedKept("cur"));
}

TEST(KvPress, WindowsKeepTheSame) {
    WindowPolicy window(withOptional(WindowPolicy::info().parameters, parameters<WindowPolicy>({})));
    EXPECT_EQ(keptBy(window, kKept), expectedKept("window"));
    DuoAttentionPolicy heads(
        parameters<DuoAttentionPolicy>({{"sinks", std::int64_t{4}}, {"recent", std::int64_t{16}}}));
    heads.calibrate({at::tensor({0.9F, 0.1F}).view({1, 2}), ""});
    // The second head streams and holds 20, so that the first may hold all.
    EXPECT_EQ(keptBy(heads, (kTokens + 20) / 2), expectedKept("duoattention"));
}

TEST(KvPress, WrappersKeepTheSame) {
    EXPECT_EQ(keptBy(AdaptiveHeads::parts(snapKv(), parameters<AdaptiveHeads>({}))), expectedKept("adakv"));
    EXPECT_EQ(keptBy(AdaptiveHeads::parts(scorer<KnormScorer>(), parameters<AdaptiveHeads>({}))),
              expectedKept("adakv-knorm"));
    EXPECT_EQ(keptBy(CriticalScorer::parts(snapKv(), parameters<CriticalScorer>({}))), expectedKept("criticalkv"));
    EXPECT_EQ(keptBy(ChunkSelection::parts(scorer<KnormScorer>(), parameters<ChunkSelection>({}))),
              expectedKept("chunkkv"));
}

TEST(KvPress, BlocksKeepTheSame) {
    ScoredPolicy policy(BlockWise::parts(plainKeyDiff(), parameters<BlockWise>({{"block", std::int64_t{7}}})));
    GoldenLayer golden_layer(policy.needs());
    golden_layer.feed(policy, kKept, kKept);
    for (std::int64_t fed = kKept; fed < kTokens; fed += 7) {
        FedLayer& layer = golden_layer.feed(policy, std::min<std::int64_t>(7, kTokens - fed), 7);
        layer.apply(policy.plan(layer.view(), {0, kKept, layer.tokensSeen()}));
        if (fed + 7 >= kTokens) {
            EXPECT_EQ(layer.positions(), expectedKept("block"));
        }
    }
}

void expectValues(FedLayer& layer, const char* name) {
    for (std::size_t head = 0; head < kKvHeads; ++head) {
        const at::Tensor values = layer.cache().indexes() == 1 ? layer.view().values(0)[static_cast<std::int64_t>(head)]
                                                               : layer.view().values(head);
        const auto expected = golden().at(name).at(head).get<std::vector<double>>();
        EXPECT_LT((values.flatten() - at::tensor(expected, at::kDouble)).abs().max().item<double>(), 1e-5);
    }
}

TEST(KvPress, SpreadValuesAgree) {
    ScoredPolicy policy(
        CacheMerging::parts(std::make_unique<PositionScorer>(),
                            parameters<CacheMerging>({{"spread", std::int64_t{8}}, {"draws", false}}, {"window"}), 0));
    GoldenLayer golden_layer(policy.needs());
    FedLayer& layer = golden_layer.feed(policy, kTokens, 7);
    layer.apply(policy.plan(layer.view(), {0, kKept, kTokens}));
    EXPECT_EQ(layer.positions(), expectedKept("window"));
    expectValues(layer, "spread");
}

TEST(KvPress, MergedValuesAgree) {
    ScoredPolicy policy(
        SimilarMerging::parts(snapKv(), parameters<SimilarMerging>({{"center_keys", false}, {"threshold", 0.6}})));
    GoldenLayer golden_layer(policy.needs());
    FedLayer& layer = golden_layer.feed(policy, kTokens, kTokens);
    layer.apply(policy.plan(layer.view(), {0, kKept, kTokens}));
    EXPECT_EQ(layer.positions(), expectedKept("snapkv"));
    expectValues(layer, "merged");
}

TEST(KvPress, LazyLayersAreToldByTheSameShare) {
    for (const json& share : golden().at("nearby")) {
        SimLayerPolicy policy(parameters<SimLayerPolicy>(
            {{"recent", share.at("recent").get<std::int64_t>()}, {"last", share.at("last").get<std::int64_t>()}}));
        GoldenLayer layer(policy.needs());
        EXPECT_NEAR(policy.nearbyShare(layer.feed(policy, kTokens, 9).view()), share.at("share").get<double>(),
                    1e-7);  // float32 there
    }
}

TEST(KvPress, PyramidsAgree) {
    for (const json& pyramid : golden().at("pyramids")) {
        const auto layers = pyramid.at("layers").get<std::int64_t>();
        const auto expected = pyramid.at("budgets").get<std::vector<std::int64_t>>();
        // kvpress counts the window among a layer's entries and adds it to the budget; here it comes on top.
        constexpr std::int64_t kWindow = 16;
        const std::int64_t budget = pyramid.at("entries").get<std::int64_t>() + kWindow;
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            EXPECT_EQ(PyramidBudgets(20).entries(budget, kWindow, layer, layers) - kWindow,
                      expected[static_cast<std::size_t>(layer)]);
        }
    }
}

}  // namespace
}  // namespace kvist
