// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "engine/files/gguf_value.h"

namespace kvist {

/// Reads the little-endian header of a GGUF file step by step and never beyond its bytes. Every function throws
/// EngineError(UnreadableFile) with the file, `place` and the byte where the file ends early or a number is senseless.
class GgufCursor {
public:
    GgufCursor(std::filesystem::path path, std::span<const std::byte> bytes)
        : m_path(std::move(path)), m_bytes(bytes) {}

    /// What is being read, for messages ("tensor blk.0.attn_q.weight").
    void setPlace(std::string place) { m_place = std::move(place); }

    template <typename Number>
    Number number() {
        Number value{};
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }

    /// A count of things that take at least `leastBytes` each, so that a damaged one is noticed before memory is taken.
    std::uint64_t count(std::size_t leastBytes);
    std::string_view text();
    /// A text that must not be empty.
    std::string name();
    GgufValue value(std::uint32_t kind);

    std::size_t position() const { return m_position; }
    [[noreturn]] void fail(const std::string& what) const;

private:
    std::span<const std::byte> take(std::uint64_t size);
    GgufArray array();
    std::int64_t wholeNumber(GgufKind kind);

    std::filesystem::path m_path;
    std::span<const std::byte> m_bytes;
    std::string m_place = "the header";
    std::size_t m_position = 0;
};

}  // namespace kvist
