// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "engine/evaluate/evaluator.h"
#include "engine/policies/policy_factory.h"
#include "engine/session/session.h"
#include "engine/text/corpus.h"
#include "tests/engine/support/golden_files.h"
#include "tests/engine/support/loaded_models.h"
#include "tests/engine/support/plan_log.h"

namespace kvist {
namespace {

using testing::InOrderPolicy;

/// Going layer by layer through segments of 512 tokens, as the evaluator does, must equal going chunk by chunk.
class Layerwise : public ::testing::TestWithParam<const char*> {
protected:
    Layerwise() {
        m_config.text = {testing::sampleText("wiki.test.raw").string(), Segmentation::Lines};
        m_config.policy = GetParam();
        m_config.budget = 128;
        m_config.warm = 500;
        m_config.score = 300;
    }

    std::unique_ptr<PruningPolicy> policy() const { return makePolicy(m_config.policy, {}); }

    RunResult evaluate(const LoadedModel& model, PruningPolicy& policy) const {
        SilentObserver silent;
        return makeEvaluator("perplexity")->evaluate(model, policy, m_config, silent, {});
    }

    RunConfig m_config;
};

TEST_P(Layerwise, EqualsInOrderInFloat64) {
    const auto model = testing::loadDemoModel(at::kDouble);
    const auto layerPolicy = policy();
    InOrderPolicy inOrder(policy());
    const RunResult one = evaluate(*model, *layerPolicy);
    const RunResult other = evaluate(*model, inOrder);
    EXPECT_EQ(one.runner, "layer by layer");
    EXPECT_EQ(other.runner, "in order");
    EXPECT_EQ(one.keptDigest, other.keptDigest);
    ASSERT_EQ(one.tokenNll.size(), 300u);
    for (std::size_t i = 0; i < one.tokenNll.size(); ++i) {
        EXPECT_NEAR(one.tokenNll[i], other.tokenNll[i], 1e-6);  // stored as float32
    }
    for (const char* name : {"kv_payload_bytes", "kv_payload_peak_bytes", "kv_metadata_bytes", "policy_state_bytes",
                             "kv_read_bytes_per_step"}) {
        EXPECT_EQ(one.metrics.at(name), other.metrics.at(name)) << name;
    }
}

TEST_P(Layerwise, StatesAgreeToTheLastDigitsInFloat64) {
    const auto model = testing::loadDemoModel(at::kDouble);
    const auto tokens = readTokens(m_config.text, *model->tokenizer, 800);
    const SessionOptions options{.budget = 128, .chunk = 32, .longest = 800};
    const auto layerPolicy = policy();
    InOrderPolicy inOrder(policy());
    const at::Tensor one = model->decoder->logits(Session(*model->decoder, *layerPolicy, options).feed(tokens));
    const at::Tensor other = model->decoder->logits(Session(*model->decoder, inOrder, options).feed(tokens));
    EXPECT_LT((one.log_softmax(1) - other.log_softmax(1)).abs().max().item<double>(), 1e-8);
}

TEST_P(Layerwise, ReplayedPlansAgreeInFloat32) {
    const auto model = testing::loadDemoModel(at::kFloat);
    testing::RecordingPolicy recording(policy());
    const RunResult one = evaluate(*model, recording);
    ASSERT_FALSE(recording.log().empty());
    testing::ReplayingPolicy replaying(policy(), recording.log(), PlanDependence::Model);
    const RunResult other = evaluate(*model, replaying);
    EXPECT_EQ(other.runner, "in order");
    EXPECT_EQ(one.keptDigest, other.keptDigest);
    for (std::size_t i = 0; i < one.tokenNll.size(); ++i) {
        EXPECT_NEAR(one.tokenNll[i], other.tokenNll[i], 1e-4);
    }
}

INSTANTIATE_TEST_SUITE_P(Policies, Layerwise, ::testing::Values("window", "attention-score"),
                         [](const auto& tested) { return std::string(tested.param) == "window" ? "Window" : "Score"; });

}  // namespace
}  // namespace kvist
