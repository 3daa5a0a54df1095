// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string_view>
#include <vector>

struct pcre2_real_code_8;

namespace kvist {

/// Qwen2.5's split of a text into pieces that are tokenised apart (contractions, words with the space or mark
/// before them, single digits, runs of marks, white space). Immutable; any thread may use it.
class Pretokenizer {
public:
    Pretokenizer();

    /// The pieces of valid UTF-8, in order; together they are the text.
    std::vector<std::string_view> split(std::string_view text) const;

    /// The expression as Qwen2.5's tokenizer.json writes it.
    static std::string_view publishedPattern();

private:
    std::shared_ptr<pcre2_real_code_8> m_code;
};

}  // namespace kvist
