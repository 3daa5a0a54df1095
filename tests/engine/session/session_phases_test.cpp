// SPDX-License-Identifier: GPL-3.0-or-later
// A prompt that is held whole, compressed once, and followed by decoding.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/policies/policy_factory.h"
#include "engine/session/session.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/policies.h"

namespace kvist {
namespace {

using testing::ScheduledPolicy;
using testing::someTokens;
using testing::throwsEngineError;

constexpr std::int64_t kBudget = 20;
constexpr std::int64_t kPrompt = 50;
constexpr std::int64_t kLayers = 3;
constexpr std::int64_t kEntryBytes = kLayers * 2 * 2 * 8 * 4;  // layers, heads, K and V, head_dim, float32

const Decoder& decoder() {
    static const Decoder loaded = testing::loadDecoder(testing::tinyModel("untied"), at::kFloat);
    return loaded;
}

std::unique_ptr<PruningPolicy> inner(const std::string& id = "attention-score") {
    ParameterMap parameters = {{"sinks", std::int64_t{2}}};
    if (id == "attention-score") {
        parameters["recent"] = std::int64_t{3};
    }
    return makePolicy(id, parameters);
}

SessionOptions options(std::int64_t chunk = 4) {
    return {.budget = kBudget, .chunk = chunk, .longest = 200, .protocol = SessionProtocol::PrefillThenDecode};
}

std::int64_t held(const Session& session) {
    return session.cache().layer(kLayers - 1).mostHeld();
}

TEST(SessionPhases, APromptStaysWholeAndIsCompressedOnce) {
    ScheduledPolicy policy(inner(), PlanSchedule::PrefillEnd);
    Session session(decoder(), policy, options());
    const auto tokens = someTokens(kPrompt);
    const at::Tensor hidden = session.feed(tokens);
    EXPECT_EQ(held(session), kPrompt);
    const auto full = makePolicy("full", {});
    Session whole(decoder(), *full, {.chunk = 4, .longest = 200});
    EXPECT_LT((hidden - whole.feed(tokens)).abs().max().item<double>(), 1e-5) << "nothing is lost while it is read";

    session.endPrompt();
    EXPECT_EQ(session.promptLength(), kPrompt);
    EXPECT_EQ(held(session), kBudget);
    session.feed(someTokens(7));
    EXPECT_EQ(held(session), kBudget + 7) << "what is generated stays";
    EXPECT_EQ(session.tokensSeen(), kPrompt + 7);
    EXPECT_EQ(session.timeline().peak().payload, kPrompt * kEntryBytes) << "the peak is the prompt";
    EXPECT_EQ(session.stats().payload, (kBudget + 7) * kEntryBytes);
    EXPECT_EQ(session.expectedPayload(), session.stats().payload);
    EXPECT_EQ(whole.expectedPayload(), kPrompt * kEntryBytes);
}

TEST(SessionPhases, EveryChunkKeepsTheBudgetWhileDecoding) {
    testing::WatchedPolicy policy(inner());
    Session session(decoder(), policy, options());
    session.feed(someTokens(kPrompt));
    EXPECT_EQ(policy.mostHeld(), kPrompt);
    session.endPrompt();
    for (int i = 0; i < 9; ++i) {
        session.feed(someTokens(1));
        EXPECT_LE(held(session), kBudget);
    }
    session.feed(someTokens(13));
    EXPECT_EQ(held(session), kBudget);
    EXPECT_EQ(session.expectedPayload(), kBudget * kEntryBytes);
}

TEST(SessionPhases, EveryTokensPrunesAtMultiplesWhateverTheChunks) {
    const auto run = [](const std::vector<std::size_t>& pieces, PlanDependence dependence) {
        ScheduledPolicy policy(inner(), PlanSchedule::EveryTokens, 6, dependence);
        Session session(decoder(), policy, options());
        session.feed(someTokens(kPrompt));
        session.endPrompt();
        std::vector<std::int64_t> counts;
        const auto tokens = someTokens(20);
        std::size_t first = 0;
        for (const std::size_t size : pieces) {
            session.feed(std::span(tokens).subspan(first, size));
            first += size;
            counts.push_back(held(session));
            EXPECT_EQ(session.expectedPayload(), held(session) * kEntryBytes);
        }
        return std::pair(counts, session.keptDigest());
    };
    using ::testing::ElementsAre;
    const auto [counts, digest] = run({1, 4, 1, 5, 2, 7}, PlanDependence::Layer);
    EXPECT_THAT(counts, ElementsAre(kBudget + 1, kBudget + 5, kBudget, kBudget + 5, kBudget + 1, kBudget + 2));
    EXPECT_EQ(run({20}, PlanDependence::Layer).second, digest);
    EXPECT_EQ(run({20}, PlanDependence::Model).second, digest);
    EXPECT_EQ(run({1, 4, 1, 5, 2, 7}, PlanDependence::Model).first, counts);
}

/// Writes down what it is told.
class ToldPolicy : public testing::PolicyWrapper {
public:
    using PolicyWrapper::PolicyWrapper;
    EvictionPlan plan(const LayerView& view, const PlanContext& context) override {
        if (context.layer == 0) {
            told.push_back({context.phase, context.tokensSeen, context.coming, context.promptLength,
                            static_cast<std::int64_t>(context.tokens.size()), context.question});
        }
        return PolicyWrapper::plan(view, context);
    }
    struct Told {
        PlanPhase phase;
        std::int64_t seen, coming, prompt, tokens;
        TokenSpan question;
        bool operator==(const Told&) const = default;
    };
    std::vector<Told> told;
};

TEST(SessionPhases, APlanKnowsWhereItStands) {
    ToldPolicy policy(inner());
    Session session(decoder(), policy, options());
    session.markQuestion({40, 50});
    session.feed(someTokens(kPrompt));
    EXPECT_TRUE(policy.told.empty());
    session.endPrompt();
    session.feed(someTokens(3));
    using Told = ToldPolicy::Told;
    const TokenSpan question{40, 50};
    EXPECT_EQ(policy.told, (std::vector<Told>{{PlanPhase::PrefillEnd, 50, 0, 50, 50, question},
                                              {PlanPhase::Decode, 50, 3, 50, 50, question}}));

    ToldPolicy streamed(inner());
    Session other(decoder(), streamed, {.budget = kBudget, .chunk = 4, .longest = 100});
    other.feed(someTokens(24));
    EXPECT_EQ(streamed.told, (std::vector<Told>{{PlanPhase::Prefill, 20, 4, 0, 20, {}}}));
}

TEST(SessionPhases, StreamedSessionsKeepTheBudgetWhateverTheSchedule) {
    for (const PlanSchedule schedule : {PlanSchedule::EveryTokens, PlanSchedule::PrefillEnd}) {
        ScheduledPolicy policy(inner(), schedule, 8);
        Session session(decoder(), policy, {.budget = kBudget, .chunk = 4, .longest = 100});
        session.feed(someTokens(kPrompt));
        session.endPrompt();
        session.feed(someTokens(10));
        EXPECT_EQ(session.timeline().peak().payload, kBudget * kEntryBytes);
        const auto plain = inner();
        Session other(decoder(), *plain, {.budget = kBudget, .chunk = 4, .longest = 100});
        other.feed(someTokens(kPrompt));
        other.feed(someTokens(10));
        EXPECT_EQ(session.keptDigest(), other.keptDigest());
    }
}

TEST(SessionPhases, ModelDependenceGivesTheSamePlansAndBytes) {
    const auto run = [](PlanDependence dependence, std::int64_t chunk) {
        ScheduledPolicy policy(inner(), PlanSchedule::EveryChunk, 1, dependence);
        Session session(decoder(), policy, options(chunk));
        session.feed(someTokens(kPrompt));
        session.endPrompt();
        session.feed(someTokens(21));
        std::vector<std::int64_t> bytes;
        for (const auto& moment : session.timeline().moments()) {
            if (moment.tokensSeen > kPrompt) {
                bytes.push_back(moment.full.payload);
                bytes.push_back(moment.live.payload);
            }
        }
        return std::pair(session.keptDigest(), bytes);
    };
    for (const std::int64_t chunk : {1, 4}) {
        EXPECT_EQ(run(PlanDependence::Layer, chunk), run(PlanDependence::Model, chunk));
    }
}

/// Gives layer 0 twice what the last layer gets, which only a plan over all layers can.
class UnequalPolicy : public testing::PolicyWrapper {
public:
    UnequalPolicy(std::unique_ptr<PruningPolicy> inner, std::int64_t tooMany)
        : PolicyWrapper(std::move(inner)), m_tooMany(tooMany) {}
    PlanDependence dependence() const override { return PlanDependence::Model; }
    std::optional<std::int64_t> bound(std::int64_t) const override { return std::nullopt; }
    std::optional<std::int64_t> layerBound(std::int64_t, std::int64_t) const override { return std::nullopt; }
    std::vector<EvictionPlan> planAll(const CacheView& view, const PlanContext& context) override {
        std::vector<EvictionPlan> plans;
        for (std::int64_t layer = 0; layer < view.layers(); ++layer) {
            PlanContext own = context;
            own.layer = layer;
            own.target += (1 - layer) * 6 + m_tooMany;
            plans.push_back(plan(view.layer(layer), own));
        }
        return plans;
    }

private:
    std::int64_t m_tooMany;
};

TEST(SessionPhases, LayersMayShareABudgetAndTheSumIsChecked) {
    UnequalPolicy policy(inner("window"), 0);
    Session session(decoder(), policy, options());
    session.feed(someTokens(kPrompt));
    session.endPrompt();
    EXPECT_EQ(session.cache().layer(0).mostHeld(), kBudget + 6);
    EXPECT_EQ(session.cache().layer(2).mostHeld(), kBudget - 6);

    UnequalPolicy greedy(inner("window"), 1);
    Session refused(decoder(), greedy, options());
    refused.feed(someTokens(kPrompt));
    EXPECT_THAT([&] { refused.endPrompt(); }, throwsEngineError(ErrorKind::Internal, "promised"));
}

TEST(SessionPhases, ResetStartsANewPrompt) {
    ScheduledPolicy policy(inner(), PlanSchedule::PrefillEnd);
    Session session(decoder(), policy, options());
    const auto run = [&] {
        session.feed(someTokens(kPrompt));
        session.endPrompt();
        return session.feed(someTokens(5));
    };
    const at::Tensor first = run();
    const std::string digest = session.keptDigest();
    EXPECT_THAT([&] { session.endPrompt(); }, throwsEngineError(ErrorKind::Internal, "once"));
    session.reset();
    EXPECT_EQ(session.promptLength(), 0);
    EXPECT_THAT([&] { session.endPrompt(); }, throwsEngineError(ErrorKind::Internal, "tokens"));
    EXPECT_TRUE(at::equal(run(), first));
    EXPECT_EQ(session.keptDigest(), digest);
}

TEST(SessionPhases, ANewChunkIsCutOnlyWhereRoomIsMadeForIt) {
    ScheduledPolicy once(inner(), PlanSchedule::PrefillEnd);
    EXPECT_EQ(Session(decoder(), once, options(64)).chunk(), 64);
    const auto each = inner();
    EXPECT_EQ(Session(decoder(), *each, options(64)).chunk(), kBudget - 2 - 1);
}

/// Cannot say anything before the end of a prompt.
class PromptPolicy : public testing::PolicyWrapper {
public:
    using PolicyWrapper::PolicyWrapper;
    bool needsPrompt() const override { return true; }
};

TEST(SessionPhases, APolicyThatNeedsAPromptIsNotStreamed) {
    PromptPolicy policy(inner());
    EXPECT_THAT([&] { Session(decoder(), policy, {.budget = kBudget, .chunk = 4, .longest = 100}); },
                throwsEngineError(ErrorKind::InvalidInput, "prefill-then-score"));
    EXPECT_NO_THROW(Session(decoder(), policy, options()));
}

}  // namespace
}  // namespace kvist
