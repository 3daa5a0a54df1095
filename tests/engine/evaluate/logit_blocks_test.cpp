// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/logit_blocks.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/engine/support/decoders.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

class LogitBlocksTest : public ::testing::Test {
protected:
    std::vector<float> nll(const at::Tensor& hidden, std::int64_t first, const std::stop_token& stop = {}) const {
        std::vector<float> all;
        forEachLogitBlock(m_decoder, hidden, m_next, first, stop, [&](const LogitBlock& block) {
            const auto part = nllOf(block);
            all.insert(all.end(), part.begin(), part.end());
        });
        return all;
    }

    const Decoder m_decoder = testing::loadDecoder(testing::tinyModel("untied"), at::kFloat);
    const std::vector<std::int32_t> m_next = {3, 127, 0, 64};
    const at::Tensor m_hidden = at::linspace(-2, 2, 4 * 48, at::kFloat).view({4, 48});
};

TEST_F(LogitBlocksTest, NllIsTheNegativeLogOfTheSoftmax) {
    const auto all = nll(m_hidden, 0);
    const at::Tensor expected = -m_decoder.logits(m_hidden).to(at::kDouble).softmax(1).log();
    ASSERT_EQ(all.size(), 4u);
    for (std::int64_t i = 0; i < 4; ++i) {
        const auto row = static_cast<std::size_t>(i);
        EXPECT_NEAR(all[row], expected[i][m_next[row]].item<double>(), 1e-5);
    }
}

TEST_F(LogitBlocksTest, NanAndInfinityFailWithTheirPosition) {
    for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        const at::Tensor broken = m_hidden.clone();
        broken[2][5] = value;
        EXPECT_THAT([&] { nll(broken, 1000); }, throwsEngineError(ErrorKind::Numerical, "1002"));
    }
}

TEST_F(LogitBlocksTest, LooksAtTheStopToken) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THAT([&] { nll(m_hidden, 0, stop.get_token()); }, throwsEngineError(ErrorKind::Cancelled, ""));
}

}  // namespace
}  // namespace kvist
