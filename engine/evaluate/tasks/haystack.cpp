// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/tasks/haystack.h"

#include <algorithm>
#include <string>

#include "engine/api/engine_error.h"

namespace kvist {
namespace {

/// Tokens of a text that are read at least: samples start at drawn places of it.
constexpr std::int64_t kLeastRead = std::int64_t{1} << 17;

}  // namespace

Haystack::Haystack(std::vector<std::int32_t> tokens, const Tokenizer& tokenizer)
    : m_tokens(std::move(tokens)), m_ends(static_cast<std::size_t>(tokenizer.vocabularySize())) {
    if (m_tokens.empty()) {
        throw EngineError(ErrorKind::InvalidInput, "the text to hide needles in is empty; choose another one");
    }
    std::vector<bool> isKnown(m_ends.size());
    for (const std::int32_t token : m_tokens) {
        const auto id = static_cast<std::size_t>(token);
        if (!isKnown[id]) {
            isKnown[id] = true;
            const std::string text = tokenizer.decode(std::span(&token, 1));
            m_ends[id] = text.ends_with('.') || text.ends_with('\n');
        }
    }
}

bool Haystack::endsSentence(std::int32_t token) const {
    return m_ends[static_cast<std::size_t>(token)];
}

std::vector<std::int32_t> Haystack::cut(std::int64_t from, std::int64_t count) const {
    const auto at = [this](std::int64_t i) { return m_tokens[static_cast<std::size_t>(i % size())]; };
    std::int64_t start = from;
    while (start % size() != 0 && start < from + size() && !endsSentence(at(start - 1))) {
        ++start;
    }
    std::vector<std::int32_t> part(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        part[static_cast<std::size_t>(i)] = at(start + i);
    }
    return part;
}

Haystack readHaystack(const TextChoice& text, TextReader& reader, std::int64_t length, const std::stop_token& stop) {
    return {reader.read(text, std::max(2 * length, kLeastRead), stop), reader.tokenizer()};
}

Haystack noiseHaystack(const Tokenizer& tokenizer) {
    return {tokenizer.encode("The grass is green. The sky is blue. The sun is yellow. Here we go. There and back "
                             "again.\n"),
            tokenizer};
}

}  // namespace kvist
