// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/bpe_vocabulary.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "engine/runtime/file_bytes.h"
#include "engine/text/byte_symbols.h"

namespace kvist {
namespace {

constexpr std::int64_t kIdLimit = std::int64_t{1} << 24;  // two orders above any vocabulary; bounds the table

}  // namespace

BpeVocabulary::BpeVocabulary(const nlohmann::json& entries, std::filesystem::path source)
    : m_source(std::move(source)) {
    if (!entries.is_object()) {
        throwUnreadable(m_source, "the vocabulary must be an object of tokens and ids");
    }
    m_ids.reserve(entries.size());
    m_bytes.reserve(entries.size() + 64);
    for (const auto& [symbols, id] : entries.items()) {
        if (!id.is_number_integer()) {
            throwUnreadable(m_source,
                            "the id of vocabulary entry \"" + symbols + "\" is not an integer but " + id.dump());
        }
        insert(symbols, id.get<std::int64_t>());
    }
    checkBytes();
}

BpeVocabulary::BpeVocabulary(const std::vector<std::pair<std::string, std::int64_t>>& entries,
                             std::filesystem::path source)
    : m_source(std::move(source)) {
    m_ids.reserve(entries.size());
    m_bytes.reserve(entries.size() + 64);
    for (const auto& [symbols, id] : entries) {
        insert(symbols, id);
    }
    checkBytes();
}

void BpeVocabulary::insert(const std::string& symbols, std::int64_t id) {
    auto bytes = bytesOfSymbols(symbols);
    if (!bytes || bytes->empty()) {
        throwUnreadable(m_source, "vocabulary entry \"" + symbols + "\" is not in byte-level form");
    }
    place(*bytes, id);
    m_ids.emplace(std::move(*bytes), static_cast<std::int32_t>(id));
}

void BpeVocabulary::checkBytes() const {
    for (int byte = 0; byte < 256; ++byte) {
        if (!idOf(std::string(1, static_cast<char>(byte)))) {
            throwUnreadable(m_source, "the vocabulary has no entry for byte " + std::to_string(byte) +
                                          "; it is truncated or not byte-level");
        }
    }
}

void BpeVocabulary::add(const AddedToken& token) {
    const std::string* known = bytesOf(token.id);
    if (known == nullptr || *known != token.content) {
        place(token.content, token.id);
    }
}

void BpeVocabulary::place(std::string bytes, std::int64_t id) {
    if (id < 0 || id >= kIdLimit) {
        throwUnreadable(m_source, "id " + std::to_string(id) + " is out of range");
    }
    const auto index = static_cast<std::size_t>(id);
    if (index >= m_bytes.size()) {
        m_bytes.resize(index + 1);
    }
    if (!m_bytes[index].empty()) {
        throwUnreadable(m_source, "id " + std::to_string(id) + " is given twice, to \"" + m_bytes[index] + "\" and \"" +
                                      bytes + "\"");
    }
    m_bytes[index] = std::move(bytes);
}

std::optional<std::int32_t> BpeVocabulary::idOf(std::string_view bytes) const {
    const auto found = m_ids.find(std::string(bytes));
    return found == m_ids.end() ? std::nullopt : std::optional(found->second);
}

const std::string* BpeVocabulary::bytesOf(std::int64_t id) const {
    if (id < 0 || id >= size() || m_bytes[static_cast<std::size_t>(id)].empty()) {
        return nullptr;
    }
    return &m_bytes[static_cast<std::size_t>(id)];
}

}  // namespace kvist
