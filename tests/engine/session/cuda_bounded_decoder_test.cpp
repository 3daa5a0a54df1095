// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded decode steps on a GPU beside the session's own on a CPU.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "engine/policies/policy_factory.h"
#include "engine/runtime/torch_cuda.h"
#include "engine/session/bounded_decoder.h"
#include "tests/engine/support/decoders.h"

namespace kvist {
namespace {

constexpr std::int64_t kSteps = 200;

std::set<std::int64_t> positions(const Session& session, std::int64_t layer) {
    std::set<std::int64_t> result;
    const EntryIndex& index = session.cache().layer(layer).index(0);
    for (std::int64_t i = 0; i < index.count(); ++i) {
        result.insert(index.position(i));
    }
    return result;
}

class CudaBoundedDecoder : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (!loadTorchCuda() || !at::hasCUDA()) {
            GTEST_SKIP() << "no NVIDIA driver or no CUDA part of libtorch: run this on a machine with a GPU";
        }
    }
};

TEST_P(CudaBoundedDecoder, ReplaysWhatTheSessionDoes) {
    const auto folder = testing::demoModel();
    const Decoder onCpu = testing::loadDecoder(folder, at::kFloat);
    const Decoder onGpu(readModelConfig(folder), Weights(folder), at::TensorOptions(at::kFloat).device(at::kCUDA, 0));
    const auto policy = makePolicy(GetParam(), {});
    const auto same = makePolicy(GetParam(), {});
    const SessionOptions options{.budget = 64, .chunk = 16, .longest = 1000};
    Session expected(onCpu, *policy, options);
    Session session(onGpu, *same, options);
    const auto tokens = testing::someTokens(100 + kSteps + 8);
    expected.feed(std::span(tokens).first(100));
    session.feed(std::span(tokens).first(100));
    ASSERT_TRUE(BoundedDecoder::pays(session));
    {
        BoundedDecoder bounded(session, 4096);
        for (std::size_t i = 100; i < 100 + kSteps; ++i) {
            const at::Tensor logits = onCpu.logits(expected.feed(std::span(tokens).subspan(i, 1)));
            bounded.step(tokens[i]);
            if (i < 150 || GetParam() == std::string("window")) {  // later, scores that are nearly equal may part them
                const double difference = (bounded.logits().cpu() - logits).abs().max().item<double>();
                ASSERT_LT(difference, 1e-2 * logits.abs().max().item<double>()) << "token " << i;
            }
        }
        EXPECT_EQ(bounded.manner(), "replayed as a CUDA graph");
        bounded.finish();
    }
    for (std::int64_t layer = 0; layer < onCpu.config().layers; ++layer) {
        const auto here = positions(session, layer);
        const auto there = positions(expected, layer);
        std::vector<std::int64_t> both;
        std::set_intersection(here.begin(), here.end(), there.begin(), there.end(), std::back_inserter(both));
        EXPECT_GE(both.size(), GetParam() == std::string("window") ? 64u : 60u) << "layer " << layer;
    }
    EXPECT_EQ(session.tokensSeen(), expected.tokensSeen());
    // The session's own steps go on where the replayed ones ended.
    EXPECT_TRUE(at::isfinite(session.feed(std::span(tokens).last(8))).all().item<bool>());
}

INSTANTIATE_TEST_SUITE_P(Policies, CudaBoundedDecoder, ::testing::Values("window", "attention-score"),
                         [](const auto& tested) { return std::string(tested.param) == "window" ? "Window" : "Score"; });

}  // namespace
}  // namespace kvist
