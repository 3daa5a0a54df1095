// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/text/added_token.h"

namespace kvist {

/// What is used of a folder's tokenizer_config.json; all empty where the file is absent.
struct TokenizerConfig {
    std::string tokenizerClass;
    std::vector<AddedToken> addedTokens;
    std::optional<std::string> endOfText;  ///< eos_token
    std::string chatTemplate;              ///< Jinja text; the one called "default" of several
};

/// Throws EngineError(UnreadableFile) that names the file.
TokenizerConfig readTokenizerConfig(const std::filesystem::path& folder);

/// An added token as both kinds of file describe it (content, normalized, …). Throws EngineError(UnreadableFile)
/// where it is malformed or asks for stripping or whole words, which Qwen2.5's never do.
AddedToken parseAddedToken(const nlohmann::json& entry, std::int64_t id, const std::filesystem::path& source);

}  // namespace kvist
