// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/text/added_token.h"
#include "engine/text/bpe_merger.h"
#include "engine/text/bpe_vocabulary.h"

namespace kvist {

/// What a model says about its Qwen2.5 tokenizer.
struct QwenTokenizerFiles {
    BpeVocabulary vocabulary;  ///< without the added tokens
    std::vector<MergeRule> merges;
    std::filesystem::path mergesSource;
    std::vector<AddedToken> addedTokens;
    std::optional<std::string> endOfText;
};

/// From vocab.json and merges.txt, with the added tokens of tokenizer_config.json or else of added_tokens.json.
/// Throws EngineError(UnreadableFile).
QwenTokenizerFiles readVocabAndMerges(const std::filesystem::path& folder);

/// From tokenizer.json. Throws EngineError(UnreadableFile), also for a tokenizer of another kind.
QwenTokenizerFiles readTokenizerJson(const std::filesystem::path& folder);

/// From the metadata of a GGUF file ("tokenizer.ggml.…"). Throws EngineError(UnreadableFile), also for a tokenizer of
/// another kind; unused entries, with which converters fill up to the size of the embedding, are left out.
QwenTokenizerFiles readGgufTokenizer(const std::filesystem::path& file);

}  // namespace kvist
