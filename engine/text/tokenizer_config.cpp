// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/tokenizer_config.h"

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/runtime/file_bytes.h"
#include "engine/runtime/json_file.h"

namespace kvist {
namespace {

std::int64_t parseId(const std::string& text, const std::filesystem::path& source) {
    std::int64_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error != std::errc() || end != text.data() + text.size()) {
        throwUnreadable(source, "\"" + text + "\" in added_tokens_decoder is not an id");
    }
    return id;
}

/// One text, or a list of objects with name and template; empty for anything else.
std::string chatTemplateOf(const nlohmann::json& given) {
    if (given.is_string()) {
        return given.get<std::string>();
    }
    for (const auto& one : given) {
        if (one.is_object() && one.value("name", nlohmann::json()) == "default" && one.contains("template") &&
            one["template"].is_string()) {
            return one["template"].get<std::string>();
        }
    }
    return {};
}

}  // namespace

AddedToken parseAddedToken(const nlohmann::json& entry, std::int64_t id, const std::filesystem::path& source) {
    const std::string place = "added token " + std::to_string(id);
    if (!entry.is_object() || !entry.contains("content") || !entry["content"].is_string() ||
        entry["content"].get_ref<const std::string&>().empty()) {
        throwUnreadable(source, place + " has no content");
    }
    if (id < 0 || id > std::numeric_limits<std::int32_t>::max()) {
        throwUnreadable(source, place + " is out of range");
    }
    const auto isSet = [&](const char* flag) {
        const auto found = entry.find(flag);
        return found != entry.end() && found->is_boolean() && found->get<bool>();
    };
    for (const char* flag : {"lstrip", "rstrip", "single_word"}) {
        if (isSet(flag)) {
            throwUnreadable(source, place + " sets \"" + flag + "\", which Qwen2.5's tokens do not; set it to false");
        }
    }
    return {entry["content"].get<std::string>(), static_cast<std::int32_t>(id), isSet("normalized")};
}

TokenizerConfig readTokenizerConfig(const std::filesystem::path& folder) {
    TokenizerConfig config;
    const auto path = folder / "tokenizer_config.json";
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        return config;
    }
    const nlohmann::json json = readJsonObject(path);
    if (const auto name = json.find("tokenizer_class"); name != json.end() && name->is_string()) {
        config.tokenizerClass = name->get<std::string>();
    }
    if (const auto tokens = json.find("added_tokens_decoder"); tokens != json.end()) {
        if (!tokens->is_object()) {
            throwUnreadable(path, "added_tokens_decoder must be an object");
        }
        for (const auto& [id, entry] : tokens->items()) {
            config.addedTokens.push_back(parseAddedToken(entry, parseId(id, path), path));
        }
    }
    if (const auto token = json.find("eos_token"); token != json.end()) {
        if (token->is_string()) {
            config.endOfText = token->get<std::string>();
        } else if (token->is_object()) {
            config.endOfText = parseAddedToken(*token, 0, path).content;
        }
    }
    if (const auto given = json.find("chat_template"); given != json.end()) {
        config.chatTemplate = chatTemplateOf(*given);
    }
    return config;
}

}  // namespace kvist
