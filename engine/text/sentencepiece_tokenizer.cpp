// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/sentencepiece_tokenizer.h"

#include <sentencepiece_processor.h>

#include <charconv>

#include "engine/api/engine_error.h"
#include "engine/runtime/file_bytes.h"
#include "engine/text/utf8.h"

namespace kvist {
namespace {

constexpr std::string_view kSpaceSymbol = "\xE2\x96\x81";  // U+2581

}  // namespace

SentencePieceTokenizer::SentencePieceTokenizer(const std::filesystem::path& model)
    : m_processor(std::make_unique<sentencepiece::SentencePieceProcessor>()) {
    const auto status = m_processor->LoadFromSerializedProto(readBytes(model));
    if (!status.ok()) {
        throwUnreadable(model,
                        "is not a SentencePiece model, or is truncated (" + status.ToString() + "); copy it again");
    }
    const int size = m_processor->GetPieceSize();
    for (int id = 0; id < size; ++id) {
        m_bytes.push_back(bytesOfPiece(id));
    }
    m_dropsFirstSpace = dropsFirstSpace();
}

SentencePieceTokenizer::~SentencePieceTokenizer() = default;

std::string SentencePieceTokenizer::bytesOfPiece(int id) const {
    if (m_processor->IsControl(id)) {
        return {};
    }
    if (m_processor->IsUnknown(id)) {
        std::string surface;
        return m_processor->Decode(std::vector<int>{id}, &surface).ok() ? surface : std::string();
    }
    std::string piece = m_processor->IdToPiece(id);
    if (m_processor->IsByte(id)) {  // "<0x0A>"
        int byte = 0;
        std::from_chars(piece.data() + 3, piece.data() + piece.size() - 1, byte, 16);
        return std::string(1, static_cast<char>(byte));
    }
    for (std::size_t at = 0; (at = piece.find(kSpaceSymbol, at)) != std::string::npos; ++at) {
        piece.replace(at, kSpaceSymbol.size(), 1, ' ');
    }
    return piece;
}

bool SentencePieceTokenizer::dropsFirstSpace() const {
    for (int id = 0; id < m_processor->GetPieceSize(); ++id) {
        if (m_processor->IdToPiece(id).starts_with(kSpaceSymbol) && !m_processor->IsUnknown(id) &&
            !m_processor->IsControl(id)) {
            std::string text;
            return m_processor->Decode(std::vector<int>{id}, &text).ok() && !text.starts_with(' ');
        }
    }
    return false;
}

std::vector<std::int32_t> SentencePieceTokenizer::encode(std::string_view text) const {
    std::vector<int> ids;
    const auto status = m_processor->Encode(replaceInvalidUtf8(text), &ids);
    if (!status.ok()) {
        throw EngineError(ErrorKind::Internal, "SentencePiece cannot encode a text: " + status.ToString());
    }
    return ids;
}

std::string SentencePieceTokenizer::decode(std::span<const std::int32_t> ids) const {
    std::string text;
    bool mayDropSpace = m_dropsFirstSpace;
    for (const std::int32_t id : ids) {
        if (id < 0 || id >= vocabularySize()) {
            throw EngineError(ErrorKind::InvalidInput, "token id " + std::to_string(id) +
                                                           " is not in the vocabulary of " +
                                                           std::to_string(vocabularySize()) + " pieces");
        }
        std::string_view bytes = m_bytes[static_cast<std::size_t>(id)];
        if (mayDropSpace && bytes.starts_with(' ') && !m_processor->IsByte(id) && !m_processor->IsUnknown(id)) {
            bytes.remove_prefix(1);
            mayDropSpace = false;
        }
        mayDropSpace = mayDropSpace && bytes.empty();
        text += bytes;
    }
    return text;
}

std::optional<std::int32_t> SentencePieceTokenizer::endOfText() const {
    const int id = m_processor->eos_id();
    return id < 0 ? std::nullopt : std::optional<std::int32_t>(id);
}

}  // namespace kvist
