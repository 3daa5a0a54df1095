// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/api/run_config.h"
#include "engine/text/tokenizer.h"

namespace kvist {

/// Reads texts for one tokenizer and keeps the tokens of the last ones, so that the runs of a sweep tokenise their text
/// once. A text is known by the content of its file, not by its name. Any thread may call it.
class TextReader {
public:
    /// `tokenizer` must outlive the reader.
    explicit TextReader(const Tokenizer& tokenizer) : m_tokenizer(tokenizer) {}

    const Tokenizer& tokenizer() const { return m_tokenizer; }

    /// As readTokens().
    std::vector<std::int32_t> read(const TextChoice& text, std::int64_t count, const std::stop_token& stop = {});

private:
    struct Known {
        std::vector<std::int32_t> tokens;
        std::int64_t asked = 0;  ///< fewer tokens than this: the text has no more
    };

    const Tokenizer& m_tokenizer;
    std::mutex m_mutex;
    std::map<std::string, Known> m_known;  // by hash of the content and how it is taken
};

}  // namespace kvist
