// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/greedy_decoder.h"

#include <optional>

#include "engine/runtime/stop.h"
#include "engine/session/bounded_decoder.h"

namespace kvist {

bool GreedyDecoder::isEnd(std::int32_t token) const {
    return token == m_session.decoder().config().endOfText || token == m_tokenizer.endOfText();
}

std::int32_t GreedyDecoder::mostProbable(const at::Tensor& hidden) const {
    // The rows of the head beyond the tokenizer's vocabulary are padding and stand for no text.
    const at::Tensor logits =
        m_session.decoder().logits(hidden.narrow(0, hidden.size(0) - 1, 1)).narrow(1, 0, m_tokenizer.vocabularySize());
    return static_cast<std::int32_t>(logits.argmax().item<std::int64_t>());
}

std::vector<std::int32_t> GreedyDecoder::continueFrom(at::Tensor hidden, std::int64_t count,
                                                      const std::stop_token& stop,
                                                      const std::function<bool(std::int32_t)>& goesOn) {
    std::vector<std::int32_t> tokens;
    std::optional<BoundedDecoder> bounded;
    std::optional<std::int32_t> next;  // where it is known without the hidden state
    for (std::int64_t i = 0; i < count; ++i) {
        throwIfStopped(stop);
        const std::int32_t token = next ? *next : mostProbable(hidden);
        if (isEnd(token)) {
            break;
        }
        tokens.push_back(token);
        if (!goesOn(token) || i + 1 == count) {
            break;
        }
        if (!bounded && BoundedDecoder::pays(m_session)) {
            bounded.emplace(m_session, m_tokenizer.vocabularySize());
        }
        if (bounded) {
            next = bounded->step(token);
        } else {
            hidden = m_session.feed(std::span(&token, 1), {.stop = stop, .checksFinite = true, .onLayerDone = {}});
        }
    }
    if (bounded) {
        bounded->finish();
    }
    return tokens;
}

}  // namespace kvist
