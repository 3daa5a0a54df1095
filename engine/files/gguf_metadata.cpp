// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/files/gguf_metadata.h"

#include "engine/runtime/file_bytes.h"

namespace kvist {

void GgufMetadata::fail(const std::string& key, const std::string& what) const {
    throwUnreadable(m_path, "\"" + key + "\" " + what);
}

void GgufMetadata::add(const std::string& key, GgufValue value) {
    if (!m_values.emplace(key, std::move(value)).second) {
        fail(key, "is given twice; the file is damaged");
    }
}

const GgufValue* GgufMetadata::find(const std::string& key) const {
    const auto found = m_values.find(key);
    return found == m_values.end() ? nullptr : &found->second;
}

std::optional<std::string_view> GgufMetadata::text(const std::string& key) const {
    const GgufValue* value = find(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!std::holds_alternative<std::string_view>(*value)) {
        fail(key, "is no text");
    }
    return std::get<std::string_view>(*value);
}

std::optional<std::int64_t> GgufMetadata::wholeNumber(const std::string& key) const {
    const GgufValue* value = find(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!std::holds_alternative<std::int64_t>(*value)) {
        fail(key, "is no whole number");
    }
    return std::get<std::int64_t>(*value);
}

std::optional<double> GgufMetadata::number(const std::string& key) const {
    const GgufValue* value = find(key);
    if (value != nullptr && std::holds_alternative<double>(*value)) {
        return std::get<double>(*value);
    }
    const auto whole = wholeNumber(key);
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

const std::vector<std::string_view>* GgufMetadata::texts(const std::string& key) const {
    const GgufValue* value = find(key);
    if (value == nullptr) {
        return nullptr;
    }
    const auto* array = std::get_if<GgufArray>(value);
    if (array == nullptr || array->kind != GgufKind::String) {
        fail(key, "is no list of texts");
    }
    return &array->texts;
}

const std::vector<std::int64_t>* GgufMetadata::wholeNumbers(const std::string& key) const {
    const GgufValue* value = find(key);
    if (value == nullptr) {
        return nullptr;
    }
    const auto* array = std::get_if<GgufArray>(value);
    const auto* numbers = array == nullptr || array->kind == GgufKind::String
                              ? nullptr
                              : std::get_if<std::vector<std::int64_t>>(&array->numbers);
    if (numbers == nullptr) {
        fail(key, "is no list of whole numbers");
    }
    return numbers;
}

std::int64_t GgufMetadata::count(const std::string& key) const {
    constexpr std::int64_t kLargest = std::int64_t{1} << 31;
    const auto given = wholeNumber(key);
    if (!given || *given < 1 || *given > kLargest) {
        fail(key, "is " + (given ? std::to_string(*given) : std::string("missing")) +
                      "; expected a whole number from 1 to 2147483648");
    }
    return *given;
}

}  // namespace kvist
