// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string_view>

#include "engine/session/session.h"
#include "engine/text/tokenizer.h"

namespace kvist {

/// Continues a prompt greedily.
class TextGenerator {
public:
    TextGenerator(Session& session, const Tokenizer& tokenizer) : m_session(session), m_tokenizer(tokenizer) {}

    /// Feeds the prompt, then up to `count` tokens, each the most probable one; ends at the model's
    /// end-of-text token. `emit` gets complete UTF-8. Throws EngineError(InvalidInput) for an empty prompt.
    void generate(std::span<const std::int32_t> prompt, std::int64_t count,
                  const std::function<void(std::string_view)>& emit, std::stop_token stop);

private:
    Session& m_session;
    const Tokenizer& m_tokenizer;
};

}  // namespace kvist
