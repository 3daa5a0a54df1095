// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/files/gguf_value.h"

namespace kvist {

/// The metadata of a GGUF file. Asking for a key that has another kind throws EngineError(UnreadableFile) with the file
/// and the key; texts point into the file that the metadata was read from.
class GgufMetadata {
public:
    explicit GgufMetadata(std::filesystem::path path) : m_path(std::move(path)) {}

    /// Throws EngineError(UnreadableFile) where the key is already there.
    void add(const std::string& key, GgufValue value);

    bool has(const std::string& key) const { return m_values.contains(key); }

    std::optional<std::string_view> text(const std::string& key) const;
    std::optional<std::int64_t> wholeNumber(const std::string& key) const;
    /// Whole numbers count as numbers.
    std::optional<double> number(const std::string& key) const;
    const std::vector<std::string_view>* texts(const std::string& key) const;
    const std::vector<std::int64_t>* wholeNumbers(const std::string& key) const;

    /// As wholeNumber(), from 1 to 2^31; throws also where the key is missing.
    std::int64_t count(const std::string& key) const;

    const std::filesystem::path& path() const { return m_path; }
    [[noreturn]] void fail(const std::string& key, const std::string& what) const;

private:
    const GgufValue* find(const std::string& key) const;

    std::filesystem::path m_path;
    std::map<std::string, GgufValue> m_values;
};

}  // namespace kvist
