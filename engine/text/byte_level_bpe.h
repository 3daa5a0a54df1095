// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/text/bpe_merger.h"
#include "engine/text/bpe_vocabulary.h"
#include "engine/text/pretokenizer.h"
#include "engine/text/qwen_tokenizer_files.h"
#include "engine/text/special_tokens.h"
#include "engine/text/tokenizer.h"

namespace kvist {

/// Qwen2.5's tokenizer: added tokens are cut out, the rest is normalised to NFC, split into pieces, and each
/// piece's bytes are merged. Gives the ids of Hugging Face's tokenizer; caches nothing, so calls may overlap.
/// Letters, digits and combining marks that newer versions of Unicode added are classed as the installed PCRE2 and
/// utf8proc know them, which can differ from the reference's tables.
class ByteLevelBpe final : public Tokenizer {
public:
    /// Throws EngineError(UnreadableFile) where merges, vocabulary and added tokens contradict each other.
    explicit ByteLevelBpe(QwenTokenizerFiles files);

    std::vector<std::int32_t> encode(std::string_view text) const override;
    std::string decode(std::span<const std::int32_t> ids) const override;
    std::size_t cutAfter(std::string_view text, std::size_t from) const override;
    std::int64_t vocabularySize() const override { return m_vocabulary.size(); }
    std::optional<std::int32_t> endOfText() const override { return m_endOfText; }
    std::string name() const override { return "byte-level BPE"; }

private:
    BpeVocabulary m_vocabulary;
    BpeMerger m_merger;
    Pretokenizer m_pretokenizer;
    SpecialTokens m_rawTokens;         ///< found in the text as it came
    SpecialTokens m_normalizedTokens;  ///< found after normalisation
    std::optional<std::int32_t> m_endOfText;
};

}  // namespace kvist
