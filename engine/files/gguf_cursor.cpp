// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/files/gguf_cursor.h"

#include <limits>

#include "engine/runtime/file_bytes.h"

namespace kvist {
namespace {

std::size_t sizeOf(GgufKind kind) {
    switch (kind) {
        case GgufKind::UInt8:
        case GgufKind::Int8:
        case GgufKind::Bool:
            return 1;
        case GgufKind::UInt16:
        case GgufKind::Int16:
            return 2;
        case GgufKind::UInt32:
        case GgufKind::Int32:
        case GgufKind::Float32:
            return 4;
        default:
            return 8;
    }
}

bool isFloating(GgufKind kind) {
    return kind == GgufKind::Float32 || kind == GgufKind::Float64;
}

}  // namespace

void GgufCursor::fail(const std::string& what) const {
    throwUnreadable(m_path, m_place + ", byte " + std::to_string(m_position) + ": " + what);
}

std::span<const std::byte> GgufCursor::take(std::uint64_t size) {
    if (size > m_bytes.size() - m_position) {
        fail("the file ends after " + std::to_string(m_bytes.size()) +
             " bytes; it is truncated or damaged, download it again");
    }
    const auto taken = m_bytes.subspan(m_position, size);
    m_position += size;
    return taken;
}

std::uint64_t GgufCursor::count(std::size_t leastBytes) {
    const auto count = number<std::uint64_t>();
    if (count > (m_bytes.size() - m_position) / leastBytes) {
        fail("a count of " + std::to_string(count) + " in a file of " + std::to_string(m_bytes.size()) +
             " bytes; it is truncated or damaged, download it again");
    }
    return count;
}

std::string_view GgufCursor::text() {
    const auto bytes = take(count(1));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string GgufCursor::name() {
    const std::string_view name = text();
    if (name.empty()) {
        fail("an empty name; the file is damaged");
    }
    return std::string(name);
}

std::int64_t GgufCursor::wholeNumber(GgufKind kind) {
    switch (kind) {
        case GgufKind::UInt8:
        case GgufKind::Bool:
            return number<std::uint8_t>();
        case GgufKind::Int8:
            return number<std::int8_t>();
        case GgufKind::UInt16:
            return number<std::uint16_t>();
        case GgufKind::Int16:
            return number<std::int16_t>();
        case GgufKind::UInt32:
            return number<std::uint32_t>();
        case GgufKind::Int32:
            return number<std::int32_t>();
        case GgufKind::Int64:
            return number<std::int64_t>();
        default: {
            const auto value = number<std::uint64_t>();
            if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
                fail("the number " + std::to_string(value) + " is out of range");
            }
            return static_cast<std::int64_t>(value);
        }
    }
}

GgufArray GgufCursor::array() {
    const auto kind = static_cast<GgufKind>(number<std::uint32_t>());
    if (kind > GgufKind::Float64 || kind == GgufKind::Array) {
        fail("a list of kind " + std::to_string(static_cast<std::uint32_t>(kind)) + ", which is not read");
    }
    GgufArray array{kind, {}, {}};
    const std::uint64_t size = count(sizeOf(kind));
    if (kind == GgufKind::String) {
        array.texts.reserve(size);
        for (std::uint64_t i = 0; i < size; ++i) {
            array.texts.push_back(text());
        }
    } else if (isFloating(kind)) {
        auto& numbers = array.numbers.emplace<std::vector<double>>(size);
        for (double& one : numbers) {
            one = kind == GgufKind::Float32 ? static_cast<double>(number<float>()) : number<double>();
        }
    } else {
        auto& numbers = array.numbers.emplace<std::vector<std::int64_t>>(size);
        for (std::int64_t& one : numbers) {
            one = wholeNumber(kind);
        }
    }
    return array;
}

GgufValue GgufCursor::value(std::uint32_t kind) {
    switch (static_cast<GgufKind>(kind)) {
        case GgufKind::Float32:
            return static_cast<double>(number<float>());
        case GgufKind::Float64:
            return number<double>();
        case GgufKind::Bool:
            return number<std::uint8_t>() != 0;
        case GgufKind::String:
            return text();
        case GgufKind::Array:
            return array();
        default:
            if (kind > static_cast<std::uint32_t>(GgufKind::Float64)) {
                fail("a value of unknown kind " + std::to_string(kind) + "; the file is damaged or of a newer version");
            }
            return wholeNumber(static_cast<GgufKind>(kind));
    }
}

}  // namespace kvist
