// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/text_generator.h"

#include "engine/api/engine_error.h"
#include "engine/runtime/stop.h"
#include "engine/session/utf8_stream.h"

namespace kvist {

bool TextGenerator::isEnd(std::int32_t token) const {
    return token == m_session.decoder().config().endOfText || token == m_tokenizer.endOfText();
}

void TextGenerator::generate(std::span<const std::int32_t> prompt, std::int64_t count,
                             const std::function<void(std::string_view)>& emit, std::stop_token stop) {
    if (prompt.empty()) {
        throw EngineError(ErrorKind::InvalidInput, "the prompt is empty; give at least one character");
    }
    Utf8Stream text;
    at::Tensor hidden = m_session.feed(prompt, {.stop = stop, .checksFinite = true, .onLayerDone = {}});
    m_session.endPrompt({.stop = stop, .checksFinite = true, .onLayerDone = {}});
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
        const std::string piece = text.push(m_tokenizer.decode(std::span(&token, 1)));
        if (!piece.empty()) {
            emit(piece);
        }
        if (i + 1 < count) {
            hidden = m_session.feed(std::span(&token, 1), {.stop = stop, .checksFinite = true, .onLayerDone = {}});
        }
    }
    const std::string rest = text.finish();
    if (!rest.empty()) {
        emit(rest);
    }
}

}  // namespace kvist
