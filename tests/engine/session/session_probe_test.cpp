// SPDX-License-Identifier: GPL-3.0-or-later
// Extra passes of a policy at the end of a prompt.
#include "engine/session/session_probe.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/policies/policy_factory.h"
#include "engine/session/session.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/growing_cache.h"
#include "tests/engine/support/policies.h"

namespace kvist {
namespace {

using testing::someTokens;
using testing::throwsEngineError;

const Decoder& decoder() {
    static const Decoder loaded = testing::loadDecoder(testing::tinyModel("untied"), at::kDouble);
    return loaded;
}

/// Looks at the prompt once more when it has ended.
class ProbingPolicy : public testing::PolicyWrapper {
public:
    ProbingPolicy(std::unique_ptr<PruningPolicy> inner, std::size_t tokens, std::int64_t declared)
        : PolicyWrapper(std::move(inner)), m_tokens(tokens), m_declared(declared) {}

    PolicyNeeds needs() const override {
        PolicyNeeds needs = PolicyWrapper::needs();
        needs.probeTokens = m_declared;
        return needs;
    }

    void prefillEnd(ModelProbe& probe, const PlanContext& context) override {
        EXPECT_EQ(context.phase, PlanPhase::PrefillEnd);
        for (int pass = 0; pass < 2; ++pass) {
            layers.clear();
            hidden = probe.forward(someTokens(m_tokens), [&](const ProbedLayer& layer) {
                layers.push_back(layer.layer);
                EXPECT_EQ(layer.first, context.tokensSeen);
                EXPECT_EQ(layer.held[0], context.tokensSeen);
                EXPECT_EQ(layer.cache.mostHeld(), context.tokensSeen + static_cast<std::int64_t>(m_tokens));
                EXPECT_EQ(layer.queries.sizes(), (at::IntArrayRef{static_cast<std::int64_t>(m_tokens), 6, 8}));
            });
        }
    }

    at::Tensor hidden;
    std::vector<std::int64_t> layers;

private:
    std::size_t m_tokens;
    std::int64_t m_declared;
};

std::unique_ptr<PruningPolicy> inner(const std::string& id) {
    return makePolicy(id, id == "snapkv" ? ParameterMap{{"window", std::int64_t{4}}} : ParameterMap{});
}

class Probe : public ::testing::TestWithParam<const char*> {
protected:
    const SessionOptions m_options{
        .budget = 20, .chunk = 4, .longest = 60, .protocol = SessionProtocol::PrefillThenDecode};
};

TEST_P(Probe, SeesThePromptAndLeavesTheCacheAsItWas) {
    const auto prompt = someTokens(50);
    ProbingPolicy probing(inner(GetParam()), 7, 7);
    Session probed(decoder(), probing, m_options);
    probed.feed(prompt);
    probed.endPrompt();
    EXPECT_EQ(probing.layers, (std::vector<std::int64_t>{0, 1, 2}));

    testing::GrowingCache growing(3);
    decoder().forward(prompt, 0, growing);
    const at::Tensor expected = decoder().forward(someTokens(7), 50, growing);
    EXPECT_LT((probing.hidden - expected).abs().max().item<double>(), 1e-9);

    const auto plain = inner(GetParam());
    Session other(decoder(), *plain, m_options);
    other.feed(prompt);
    other.endPrompt();
    EXPECT_EQ(probed.keptDigest(), other.keptDigest());
    EXPECT_TRUE(at::equal(probed.feed(someTokens(10)), other.feed(someTokens(10))));
    EXPECT_EQ(probed.stats().payload, other.stats().payload);
    const std::int64_t layerBytes = 7 * 2 * 2 * 8 * 8;
    EXPECT_EQ(probed.timeline().peak().payload, other.timeline().peak().payload + layerBytes)
        << "one layer at a time holds the pass beside the prompt";
}

INSTANTIATE_TEST_SUITE_P(Policies, Probe, ::testing::Values("window", "h2o", "snapkv"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(ProbeRefusals, LongerPassesThanDeclaredAndTextsWithoutATokenizer) {
    ProbingPolicy probing(inner("window"), 7, 6);
    Session session(decoder(), probing,
                    {.budget = 20, .chunk = 4, .longest = 60, .protocol = SessionProtocol::PrefillThenDecode});
    session.feed(someTokens(50));
    EXPECT_THAT([&] { session.endPrompt(); }, throwsEngineError(ErrorKind::Internal, "declared 6"));
    EXPECT_THAT([&] { session.feed(someTokens(1)); }, throwsEngineError(ErrorKind::Internal, "reset"));

    KvCache cache({3, 2, 8, 10, at::kDouble, at::kCPU}, 0, false);
    SessionProbe probe({.decoder = decoder(), .cache = cache});
    EXPECT_THAT([&] { probe.encode("Repeat"); }, throwsEngineError(ErrorKind::Internal, "tokenizer"));
}

}  // namespace
}  // namespace kvist
