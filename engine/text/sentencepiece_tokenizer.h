// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>

#include "engine/text/tokenizer.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace kvist {

/// A SentencePiece model (tokenizer.model). Ids are the library's; bytes are those of the pieces, so that a
/// character spread over byte pieces comes back whole even when its ids are decoded one by one.
class SentencePieceTokenizer final : public Tokenizer {
public:
    /// Throws EngineError(UnreadableFile).
    explicit SentencePieceTokenizer(const std::filesystem::path& model);
    ~SentencePieceTokenizer() override;

    std::vector<std::int32_t> encode(std::string_view text) const override;
    std::string decode(std::span<const std::int32_t> ids) const override;
    std::int64_t vocabularySize() const override { return static_cast<std::int64_t>(m_bytes.size()); }
    std::optional<std::int32_t> endOfText() const override;
    std::string name() const override { return "SentencePiece"; }

private:
    std::string bytesOfPiece(int id) const;
    bool dropsFirstSpace() const;

    std::unique_ptr<sentencepiece::SentencePieceProcessor> m_processor;
    std::vector<std::string> m_bytes;  ///< by id
    bool m_dropsFirstSpace = false;    ///< encoding adds a space before the text, so decoding takes it away
};

}  // namespace kvist
