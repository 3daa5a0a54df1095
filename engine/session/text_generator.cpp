// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/text_generator.h"

#include "engine/api/engine_error.h"
#include "engine/session/greedy_decoder.h"
#include "engine/session/utf8_stream.h"

namespace kvist {

void TextGenerator::generate(std::span<const std::int32_t> prompt, std::int64_t count,
                             const std::function<void(std::string_view)>& emit, std::stop_token stop) {
    if (prompt.empty()) {
        throw EngineError(ErrorKind::InvalidInput, "the prompt is empty; give at least one character");
    }
    const ForwardOptions options{.stop = stop, .checksFinite = true, .onLayerDone = {}};
    const at::Tensor hidden = m_session.feed(prompt, options);
    m_session.endPrompt(options);
    Utf8Stream text;
    const auto emitComplete = [&](const std::string& piece) {
        if (!piece.empty()) {
            emit(piece);
        }
    };
    GreedyDecoder(m_session, m_tokenizer).continueFrom(hidden, count, stop, [&](std::int32_t token) {
        emitComplete(text.push(m_tokenizer.decode(std::span(&token, 1))));
        return true;
    });
    emitComplete(text.finish());
}

}  // namespace kvist
