// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/byte_level_bpe.h"

#include <algorithm>
#include <utility>

#include "engine/api/engine_error.h"
#include "engine/runtime/file_bytes.h"
#include "engine/text/nfc.h"
#include "engine/text/utf8.h"

namespace kvist {
namespace {

std::vector<AddedToken> select(const std::vector<AddedToken>& tokens, bool isNormalized) {
    std::vector<AddedToken> selected;
    for (AddedToken token : tokens) {
        if (token.isNormalized == isNormalized) {
            token.content = isNormalized ? toNfc(token.content) : token.content;
            selected.push_back(std::move(token));
        }
    }
    return selected;
}

bool isAsciiLetter(char byte) {
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

}  // namespace

ByteLevelBpe::ByteLevelBpe(QwenTokenizerFiles files)
    : m_vocabulary(std::move(files.vocabulary)),
      m_merger(m_vocabulary, files.merges, files.mergesSource),
      m_rawTokens(select(files.addedTokens, false)),
      m_normalizedTokens(select(files.addedTokens, true)) {
    const std::string endOfText = files.endOfText.value_or("<|endoftext|>");
    for (const AddedToken& token : files.addedTokens) {
        m_vocabulary.add(token);
        if (token.content == endOfText) {
            m_endOfText = token.id;
        }
    }
    if (files.endOfText && !m_endOfText) {
        m_endOfText = m_vocabulary.idOf(endOfText);
    }
}

std::vector<std::int32_t> ByteLevelBpe::encode(std::string_view text) const {
    std::vector<std::int32_t> ids;
    ids.reserve(text.size() / 3);
    const auto addToken = [&](std::int32_t id) { ids.push_back(id); };
    const auto addNormal = [&](std::string_view section) {
        for (const std::string_view piece : m_pretokenizer.split(section)) {
            m_merger.append(piece, ids);
        }
    };
    const auto addRaw = [&](std::string_view section) { m_normalizedTokens.cut(toNfc(section), addNormal, addToken); };
    m_rawTokens.cut(replaceInvalidUtf8(text), addRaw, addToken);
    return ids;
}

std::string ByteLevelBpe::decode(std::span<const std::int32_t> ids) const {
    std::string text;
    for (const std::int32_t id : ids) {
        const std::string* bytes = m_vocabulary.bytesOf(id);
        if (bytes == nullptr) {
            throw EngineError(ErrorKind::InvalidInput, "token id " + std::to_string(id) +
                                                           " is not in the vocabulary of " +
                                                           std::to_string(m_vocabulary.size()) + " tokens");
        }
        text += *bytes;
    }
    return text;
}

// Between a line feed and an ASCII letter every piece of Qwen2.5's pattern ends: what holds line feeds ends with
// them, a word does not start with one, and the white space before is taken up to the last line feed without a
// look at what follows. Neither character composes with the other under NFC.
std::size_t ByteLevelBpe::cutAfter(std::string_view text, std::size_t from) const {
    if (m_rawTokens.hasByte('\n') || m_normalizedTokens.hasByte('\n')) {
        return text.size();
    }
    for (std::size_t at = std::max<std::size_t>(from, 1); at < text.size(); ++at) {
        if (text[at - 1] == '\n' && isAsciiLetter(text[at])) {
            return at;
        }
    }
    return text.size();
}

}  // namespace kvist
