// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kvist {

/// Text to token ids and back. Immutable after construction, so any thread may use it.
class Tokenizer {
public:
    virtual ~Tokenizer() = default;

    /// Ids of a text; adds no begin or end tokens. Special tokens written out in the text ("<|im_end|>")
    /// become their ids. Invalid UTF-8 becomes U+FFFD, as the reference tokenizers do.
    virtual std::vector<std::int32_t> encode(std::string_view text) const = 0;

    /// Bytes of the ids; may end inside a UTF-8 character. Throws EngineError(InvalidInput) for an unknown id.
    virtual std::string decode(std::span<const std::int32_t> ids) const = 0;

    /// The first place at or after `from` where the text may be cut: encode() of the part before it followed by
    /// encode() of the part after it is encode() of the whole. The text's size where no such place is known.
    virtual std::size_t cutAfter(std::string_view text, [[maybe_unused]] std::size_t from) const { return text.size(); }

    virtual std::int64_t vocabularySize() const = 0;

    /// The token that ends a text, where the tokenizer has one.
    virtual std::optional<std::int32_t> endOfText() const = 0;

    /// "byte-level BPE" or "SentencePiece".
    virtual std::string name() const = 0;
};

/// The tokenizer of a model folder: tokenizer.model, tokenizer.json, or vocab.json with merges.txt; or of a GGUF file.
/// Throws EngineError(UnreadableFile) that names the file, or lists what was looked for.
std::unique_ptr<Tokenizer> openTokenizer(const std::filesystem::path& model);

}  // namespace kvist
