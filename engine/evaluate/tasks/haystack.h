// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "engine/api/run_config.h"
#include "engine/text/text_reader.h"
#include "engine/text/tokenizer.h"

namespace kvist {

/// Text as tokens that needles are hidden in. Endless: after its last token it begins anew.
class Haystack {
public:
    /// Cuts are made after tokens that end a sentence or a line. Throws EngineError(InvalidInput) for no tokens.
    Haystack(std::vector<std::int32_t> tokens, const Tokenizer& tokenizer);

    std::int64_t size() const { return static_cast<std::int64_t>(m_tokens.size()); }

    /// `count` tokens from the first place at or after `from` where a sentence begins.
    std::vector<std::int32_t> cut(std::int64_t from, std::int64_t count) const;

    /// True where a text may be cut behind this token, one of the haystack's.
    bool endsSentence(std::int32_t token) const;

private:
    std::vector<std::int32_t> m_tokens;
    std::vector<bool> m_ends;  // by token id
};

/// The run's text, as many tokens as samples of this length can make use of.
Haystack readHaystack(const TextChoice& text, TextReader& reader, std::int64_t length, const std::stop_token& stop);

/// RULER's noise: the same five sentences, a line each time.
Haystack noiseHaystack(const Tokenizer& tokenizer);

}  // namespace kvist
