// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/text_generator.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "engine/policies/policy_factory.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/growing_cache.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

class TextGeneratorTest : public ::testing::Test {
protected:
    std::string generated(const std::string& policyId, std::int64_t budget, std::int64_t count) {
        const auto policy = makePolicy(policyId, {});
        const auto prompt = m_tokenizer->encode(m_prompt);
        Session session(m_decoder, *policy, {.budget = budget, .chunk = 32, .longest = 500});
        std::string text;
        TextGenerator(session, *m_tokenizer)
            .generate(prompt, count, [&](std::string_view piece) { text += piece; }, {});
        return text;
    }

    const Decoder m_decoder = testing::loadDecoder(testing::demoModel(), at::kFloat);
    const std::unique_ptr<Tokenizer> m_tokenizer = openTokenizer(testing::demoModel());
    const std::string m_prompt = "No one would have believed in the last years of the nineteenth century that";
};

TEST_F(TextGeneratorTest, TakesTheMostProbableTokenEachTime) {
    auto tokens = m_tokenizer->encode(m_prompt);
    const std::size_t promptSize = tokens.size();
    for (int i = 0; i < 12; ++i) {  // from scratch each time, without a cache
        testing::GrowingCache cache(m_decoder.config().layers);
        const at::Tensor hidden = m_decoder.forward(tokens, 0, cache);
        tokens.push_back(static_cast<std::int32_t>(m_decoder.logits(hidden[-1].unsqueeze(0)).argmax().item<int64_t>()));
    }
    const std::string expected = m_tokenizer->decode(std::span(tokens).subspan(promptSize));
    EXPECT_EQ(generated("full", 0, 12), expected);
    EXPECT_EQ(generated("window", 256, 12), expected) << "a window that is not reached changes nothing";
}

TEST_F(TextGeneratorTest, GoesOnUnderASmallBudget) {
    EXPECT_FALSE(generated("window", 16, 40).empty());
    EXPECT_FALSE(generated("attention-score", 16, 40).empty());
}

TEST_F(TextGeneratorTest, AnEmptyPromptIsRefused) {
    const auto policy = makePolicy("full", {});
    Session session(m_decoder, *policy, {.budget = 0, .chunk = 32, .longest = 100});
    EXPECT_THAT([&] { TextGenerator(session, *m_tokenizer).generate({}, 5, [](std::string_view) {}, {}); },
                throwsEngineError(ErrorKind::InvalidInput, "prompt"));
}

TEST_F(TextGeneratorTest, StopsBetweenTokens) {
    const auto policy = makePolicy("full", {});
    Session session(m_decoder, *policy, {.budget = 0, .chunk = 32, .longest = 500});
    std::stop_source stop;
    int pieces = 0;
    const auto emit = [&](std::string_view) {
        if (++pieces == 3) {
            stop.request_stop();
        }
    };
    const auto prompt = m_tokenizer->encode(m_prompt);
    EXPECT_THAT([&] { TextGenerator(session, *m_tokenizer).generate(prompt, 400, emit, stop.get_token()); },
                throwsEngineError(ErrorKind::Cancelled, ""));
    EXPECT_EQ(pieces, 3);
}

}  // namespace
}  // namespace kvist
