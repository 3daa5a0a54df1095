// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/files/gguf_parts.h"
#include "engine/runtime/file_bytes.h"
#include "engine/text/qwen_tokenizer_files.h"

namespace kvist {
namespace {

/// Kinds of tokens in "tokenizer.ggml.token_type" (llama.h, llama_token_type).
enum TokenType : std::int64_t { Normal = 1, Control = 3, UserDefined = 4, Unused = 5 };

std::vector<MergeRule> parseMerges(const std::vector<std::string_view>& lines, const std::filesystem::path& source) {
    std::vector<MergeRule> merges;
    merges.reserve(lines.size());
    for (const std::string_view line : lines) {
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos || space == 0 || space + 1 == line.size()) {
            throwUnreadable(source, "merge " + std::to_string(merges.size() + 1) +
                                        " of tokenizer.ggml.merges is not two parts with a space between");
        }
        merges.emplace_back(line.substr(0, space), line.substr(space + 1));
    }
    return merges;
}

void checkKind(const GgufMetadata& metadata) {
    const std::string model(metadata.text("tokenizer.ggml.model").value_or("missing"));
    if (model != "gpt2") {
        metadata.fail("tokenizer.ggml.model", "is " + model + "; Qwen2.5 has a byte-level BPE, which GGUF calls gpt2");
    }
    const std::string splitter(metadata.text("tokenizer.ggml.pre").value_or("missing"));
    if (splitter != "qwen2") {
        metadata.fail("tokenizer.ggml.pre", "is " + splitter + "; Qwen2.5 splits its texts as qwen2 says");
    }
}

}  // namespace

QwenTokenizerFiles readGgufTokenizer(const std::filesystem::path& file) {
    const GgufFile gguf(file);
    const GgufMetadata& metadata = gguf.metadata();
    checkKind(metadata);
    const auto* tokens = metadata.texts("tokenizer.ggml.tokens");
    const auto* types = metadata.wholeNumbers("tokenizer.ggml.token_type");
    const auto* merges = metadata.texts("tokenizer.ggml.merges");
    if (tokens == nullptr || types == nullptr || merges == nullptr || types->size() != tokens->size()) {
        throwUnreadable(file, "needs tokenizer.ggml.tokens, as many token_type, and merges; convert the model again");
    }
    std::vector<std::pair<std::string, std::int64_t>> entries;
    std::vector<AddedToken> added;
    for (std::size_t id = 0; id < tokens->size(); ++id) {
        const std::string content((*tokens)[id]);
        switch ((*types)[id]) {
            case Normal:
                entries.emplace_back(content, static_cast<std::int64_t>(id));
                break;
            case Control:
            case UserDefined:
                if (content.empty()) {
                    throwUnreadable(file, "token " + std::to_string(id) + " of tokenizer.ggml.tokens is empty");
                }
                added.push_back({content, static_cast<std::int32_t>(id), false});
                break;
            case Unused:
                break;
            default:
                throwUnreadable(file, "token " + std::to_string(id) + " has type " + std::to_string((*types)[id]) +
                                          ", which Qwen2.5's tokens do not");
        }
    }
    std::optional<std::string> endOfText;
    if (const auto id = metadata.wholeNumber("tokenizer.ggml.eos_token_id")) {
        if (*id < 0 || *id >= static_cast<std::int64_t>(tokens->size())) {
            metadata.fail("tokenizer.ggml.eos_token_id",
                          "is " + std::to_string(*id) + ", beyond the " + std::to_string(tokens->size()) + " tokens");
        }
        endOfText = (*tokens)[static_cast<std::size_t>(*id)];
    }
    return {BpeVocabulary(entries, file), parseMerges(*merges, file), file, std::move(added), std::move(endOfText)};
}

}  // namespace kvist
