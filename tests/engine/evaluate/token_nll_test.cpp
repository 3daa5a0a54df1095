// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/token_nll.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/engine/support/decoders.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

class TokenNllTest : public ::testing::Test {
protected:
    const Decoder m_decoder = testing::loadDecoder(testing::tinyModel("untied"), at::kFloat);
    const std::vector<std::int32_t> m_next = {3, 127, 0, 64};
    const at::Tensor m_hidden = at::linspace(-2, 2, 4 * 48, at::kFloat).view({4, 48});
};

TEST_F(TokenNllTest, IsTheNegativeLogOfTheSoftmax) {
    const auto nll = tokenNll(m_decoder, m_hidden, m_next, 0, {});
    const at::Tensor expected = -m_decoder.logits(m_hidden).to(at::kDouble).softmax(1).log();
    ASSERT_EQ(nll.size(), 4u);
    for (std::int64_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(nll[static_cast<std::size_t>(i)], expected[i][m_next[static_cast<std::size_t>(i)]].item<double>(),
                    1e-5);
    }
}

TEST_F(TokenNllTest, NanAndInfinityFailWithTheirPosition) {
    for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        const at::Tensor broken = m_hidden.clone();
        broken[2][5] = value;
        EXPECT_THAT([&] { tokenNll(m_decoder, broken, m_next, 1000, {}); },
                    throwsEngineError(ErrorKind::Numerical, "1002"));
    }
}

TEST_F(TokenNllTest, LooksAtTheStopToken) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THAT([&] { tokenNll(m_decoder, m_hidden, m_next, 0, stop.get_token()); },
                throwsEngineError(ErrorKind::Cancelled, ""));
}

}  // namespace
}  // namespace kvist
