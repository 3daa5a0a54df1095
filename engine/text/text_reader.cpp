// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/text_reader.h"

#include <algorithm>

#include "engine/api/text_field.h"
#include "engine/runtime/content_hash.h"
#include "engine/text/corpus.h"
#include "engine/text/text_file.h"

namespace kvist {
namespace {

constexpr std::size_t kMostTexts = 8;

std::string keyOf(const std::string& bytes, const TextChoice& text) {
    ContentHash hash;
    hash.addText(bytes);
    hash.addText(text.segments == Segmentation::Whole ? "whole" : "lines");
    hash.addText(textField(text));
    return hash.digest();
}

}  // namespace

std::vector<std::int32_t> TextReader::read(const TextChoice& text, std::int64_t count, const std::stop_token& stop) {
    const std::string bytes = readTextBytes(text.file);
    const std::string key = keyOf(bytes, text);
    const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_known.find(key);
        if (known != m_known.end() && known->second.asked >= count) {
            const auto& tokens = known->second.tokens;
            return {tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, tokens.size()))};
        }
    }
    auto tokens = tokensOf(textOf(bytes, text), text.segments, m_tokenizer, count, stop);
    const std::lock_guard lock(m_mutex);
    if (m_known.size() >= kMostTexts) {
        m_known.clear();
    }
    m_known[key] = {tokens, count};
    return tokens;
}

}  // namespace kvist
