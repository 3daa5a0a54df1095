// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/greedy_decoder.h"

#include "engine/runtime/stop.h"

namespace kvist {

bool GreedyDecoder::isEnd(std::int32_t token) const {
    return token == m_session.decoder().config().endOfText || token == m_tokenizer.endOfText();
}

std::vector<std::int32_t> GreedyDecoder::continueFrom(at::Tensor hidden, std::int64_t count,
                                                      const std::stop_token& stop,
                                                      const std::function<bool(std::int32_t)>& goesOn) {
    std::vector<std::int32_t> tokens;
    for (std::int64_t i = 0; i < count; ++i) {
        throwIfStopped(stop);
        // The rows of the head beyond the tokenizer's vocabulary are padding and stand for no text.
        const at::Tensor logits = m_session.decoder()
                                      .logits(hidden.narrow(0, hidden.size(0) - 1, 1))
                                      .narrow(1, 0, m_tokenizer.vocabularySize());
        const auto token = static_cast<std::int32_t>(logits.argmax().item<std::int64_t>());
        if (isEnd(token)) {
            break;
        }
        tokens.push_back(token);
        if (!goesOn(token)) {
            break;
        }
        if (i + 1 < count) {
            hidden = m_session.feed(std::span(&token, 1), {.stop = stop, .checksFinite = true, .onLayerDone = {}});
        }
    }
    return tokens;
}

}  // namespace kvist
