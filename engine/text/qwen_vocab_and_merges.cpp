// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "engine/runtime/file_bytes.h"
#include "engine/runtime/json_file.h"
#include "engine/text/qwen_tokenizer_files.h"
#include "engine/text/tokenizer_config.h"

namespace kvist {
namespace {

std::vector<MergeRule> readMerges(const std::filesystem::path& path) {
    const std::string bytes = readBytes(path);
    std::vector<MergeRule> merges;
    std::size_t number = 0;
    for (std::string_view rest = bytes; !rest.empty();) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        ++number;
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (line.empty() || (number == 1 && line.starts_with("#version"))) {
            continue;
        }
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos || space == 0 || space + 1 == line.size() ||
            line.find(' ', space + 1) != std::string_view::npos) {
            throwUnreadable(path, "line " + std::to_string(number) +
                                      " is not two parts with a space between; the file is truncated or damaged, "
                                      "copy it again");
        }
        merges.emplace_back(line.substr(0, space), line.substr(space + 1));
    }
    if (merges.empty()) {
        throwUnreadable(path, "holds no merges; the file is truncated, copy it again");
    }
    return merges;
}

std::vector<AddedToken> readAddedTokens(const std::filesystem::path& path) {
    std::vector<AddedToken> tokens;
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        return tokens;
    }
    const nlohmann::json entries = readJsonObject(path);
    for (const auto& [content, id] : entries.items()) {
        if (!id.is_number_integer()) {
            throwUnreadable(path, "the id of \"" + content + "\" is not an integer but " + id.dump());
        }
        tokens.push_back(parseAddedToken({{"content", content}}, id.get<std::int64_t>(), path));
    }
    return tokens;
}

}  // namespace

QwenTokenizerFiles readVocabAndMerges(const std::filesystem::path& folder) {
    const auto vocabPath = folder / "vocab.json";
    const auto mergesPath = folder / "merges.txt";
    std::error_code error;
    for (const auto& [missing, other] : {std::pair(vocabPath, mergesPath), std::pair(mergesPath, vocabPath)}) {
        if (!std::filesystem::exists(missing, error)) {
            throwUnreadable(missing, "is missing beside " + other.filename().string() +
                                         "; copy it from where the model was published");
        }
    }
    TokenizerConfig config = readTokenizerConfig(folder);
    if (!config.tokenizerClass.empty() && config.tokenizerClass != "Qwen2Tokenizer" &&
        config.tokenizerClass != "Qwen2TokenizerFast") {
        throwUnreadable(folder / "tokenizer_config.json", "names a \"" + config.tokenizerClass +
                                                              "\"; only Qwen2Tokenizer is read from vocab.json "
                                                              "and merges.txt");
    }
    if (config.addedTokens.empty()) {
        config.addedTokens = readAddedTokens(folder / "added_tokens.json");
    }
    return {BpeVocabulary(readJsonObject(vocabPath), vocabPath), readMerges(mergesPath), mergesPath,
            std::move(config.addedTokens), std::move(config.endOfText)};
}

}  // namespace kvist
