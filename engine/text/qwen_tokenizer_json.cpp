// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/runtime/file_bytes.h"
#include "engine/runtime/json_file.h"
#include "engine/text/pretokenizer.h"
#include "engine/text/qwen_tokenizer_files.h"
#include "engine/text/tokenizer_config.h"

namespace kvist {
namespace {

using nlohmann::json;

/// Checks that a tokenizer.json describes the steps that ByteLevelBpe takes.
class QwenCheck {
public:
    explicit QwenCheck(std::filesystem::path source) : m_source(std::move(source)) {}

    void all(const json& tokenizer) const {
        const json& model = member(tokenizer, "model");
        expect(model, "model", "type", "BPE");
        for (const char* flag : {"ignore_merges", "byte_fallback", "fuse_unk"}) {
            expectUnset(model, "model", flag, {false});
        }
        for (const char* key : {"dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix"}) {
            expectUnset(model, "model", key, {"", 0.0});
        }
        expect(member(tokenizer, "normalizer"), "normalizer", "type", "NFC");
        const json& splitter = member(tokenizer, "pre_tokenizer");
        expect(splitter, "pre_tokenizer", "type", "Sequence");
        const json& steps = member(splitter, "pretokenizers");
        if (!steps.is_array() || steps.size() != 2) {
            refuse("pre_tokenizer", steps, "Split and ByteLevel in sequence");
        }
        expect(steps[0], "pre_tokenizer", "type", "Split");
        expect(steps[0], "pre_tokenizer", "behavior", "Isolated");
        expectUnset(steps[0], "pre_tokenizer", "invert", {false});
        expect(steps[0], "pre_tokenizer", "pattern", {{"Regex", Pretokenizer::publishedPattern()}});
        expect(steps[1], "pre_tokenizer", "type", "ByteLevel");
        expect(steps[1], "pre_tokenizer", "use_regex", false);
        expectUnset(steps[1], "pre_tokenizer", "add_prefix_space", {false});
    }

    /// The member, or null where it is absent.
    const json& member(const json& object, const char* key) const {
        static const json kNull;
        return object.is_object() && object.contains(key) ? object[key] : kNull;
    }

private:
    [[noreturn]] void refuse(const std::string& what, const json& found, const std::string& needed) const {
        throwUnreadable(m_source,
                        "is not a Qwen2.5 tokenizer: its " + what + " is " + found.dump() + ", not " + needed);
    }

    void expect(const json& object, const std::string& place, const char* key, const json& needed) const {
        if (member(object, key) != needed) {
            refuse(place + " " + key, member(object, key), needed.dump());
        }
    }

    void expectUnset(const json& object, const std::string& place, const char* key,
                     std::initializer_list<json> neutral) const {
        const json& found = member(object, key);
        if (!found.is_null() && std::find(neutral.begin(), neutral.end(), found) == neutral.end()) {
            refuse(place + " " + key, found, neutral.begin()->dump());
        }
    }

    std::filesystem::path m_source;
};

std::vector<MergeRule> parseMerges(const json& entries, const std::filesystem::path& source) {
    if (!entries.is_array()) {
        throwUnreadable(source, "model merges must be a list");
    }
    std::vector<MergeRule> merges;
    merges.reserve(entries.size());
    for (const json& entry : entries) {
        if (entry.is_array() && entry.size() == 2 && entry[0].is_string() && entry[1].is_string()) {
            merges.emplace_back(entry[0].get<std::string>(), entry[1].get<std::string>());
            continue;
        }
        const std::string rule = entry.is_string() ? entry.get<std::string>() : "";
        const std::size_t space = rule.find(' ');
        if (space == std::string::npos) {
            throwUnreadable(source, "merge " + std::to_string(merges.size() + 1) + " is " + entry.dump() +
                                        ", not a pair of tokens");
        }
        merges.emplace_back(rule.substr(0, space), rule.substr(space + 1));
    }
    return merges;
}

std::vector<AddedToken> parseAddedTokens(const json& entries, const std::filesystem::path& source) {
    std::vector<AddedToken> tokens;
    if (!entries.is_array() && !entries.is_null()) {
        throwUnreadable(source, "added_tokens must be a list");
    }
    for (const json& entry : entries) {
        if (!entry.is_object() || !entry.contains("id") || !entry["id"].is_number_integer()) {
            throwUnreadable(source, "an added token has no id: " + entry.dump());
        }
        tokens.push_back(parseAddedToken(entry, entry["id"].get<std::int64_t>(), source));
    }
    return tokens;
}

}  // namespace

QwenTokenizerFiles readTokenizerJson(const std::filesystem::path& folder) {
    const auto path = folder / "tokenizer.json";
    const json tokenizer = readJsonObject(path);
    const QwenCheck check(path);
    check.all(tokenizer);
    const json& model = check.member(tokenizer, "model");
    return {BpeVocabulary(check.member(model, "vocab"), path), parseMerges(check.member(model, "merges"), path), path,
            parseAddedTokens(check.member(tokenizer, "added_tokens"), path), readTokenizerConfig(folder).endOfText};
}

}  // namespace kvist
