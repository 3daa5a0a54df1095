// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/text/added_token.h"

namespace kvist {

/// Token bytes by id and back: the byte-level entries and the added tokens.
class BpeVocabulary {
public:
    /// From a JSON object of byte-level entries and ids; `source` is the file that errors name. Throws
    /// EngineError(UnreadableFile) for ids that are not distinct small integers, for entries that are not
    /// byte-level, and where one of the 256 single bytes is missing.
    BpeVocabulary(const nlohmann::json& entries, std::filesystem::path source);

    /// The same from pairs of byte-level entries and ids.
    BpeVocabulary(const std::vector<std::pair<std::string, std::int64_t>>& entries, std::filesystem::path source);

    /// Makes the token known to bytesOf() and size(); its content is not found by idOf(). Throws
    /// EngineError(UnreadableFile) where another token has this id.
    void add(const AddedToken& token);

    /// Id of the byte-level entry with exactly these bytes.
    std::optional<std::int32_t> idOf(std::string_view bytes) const;

    /// Bytes of an id, or nullptr where no token has it.
    const std::string* bytesOf(std::int64_t id) const;

    /// Highest id plus one.
    std::int64_t size() const { return static_cast<std::int64_t>(m_bytes.size()); }

    const std::filesystem::path& source() const { return m_source; }

private:
    void insert(const std::string& symbols, std::int64_t id);
    void checkBytes() const;
    void place(std::string bytes, std::int64_t id);

    std::filesystem::path m_source;
    std::vector<std::string> m_bytes;  ///< by id; empty where no token has it
    std::unordered_map<std::string, std::int32_t> m_ids;
};

}  // namespace kvist
