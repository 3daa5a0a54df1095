// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/text_encoding.h"

#include <algorithm>
#include <cstdint>

#include "engine/runtime/file_bytes.h"
#include "engine/text/utf8.h"

namespace kvist {
namespace {

using namespace std::string_view_literals;

[[noreturn]] void refuse(const std::filesystem::path& source, const std::string& what) {
    throwUnreadable(source, what + "; save the text as UTF-8, or as UTF-16 with a byte-order mark");
}

std::string hex(unsigned char byte) {
    constexpr const char* kDigits = "0123456789ABCDEF";
    return {'0', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

/// Where a byte stands, counted from the beginning of the file.
std::string placeOf(std::string_view bytes, std::size_t at) {
    const auto line = std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    return "byte " + std::to_string(at) + " (line " + std::to_string(line) + ")";
}

void append(std::string& text, std::uint32_t point) {
    const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (point >> shift & 0x3F)); };
    if (point < 0x80) {
        text += static_cast<char>(point);
    } else if (point < 0x800) {
        text += static_cast<char>(0xC0 | point >> 6);
        tail(0);
    } else if (point < 0x10000) {
        text += static_cast<char>(0xE0 | point >> 12);
        tail(6);
        tail(0);
    } else {
        text += static_cast<char>(0xF0 | point >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

bool isHighSurrogate(std::uint32_t unit) {
    return unit >= 0xD800 && unit < 0xDC00;
}

bool isLowSurrogate(std::uint32_t unit) {
    return unit >= 0xDC00 && unit < 0xE000;
}

/// `bytes` begin with the mark.
std::string fromUtf16(std::string_view bytes, bool isBigEndian, const std::filesystem::path& source) {
    if (bytes.size() % 2 != 0) {
        refuse(source, "is marked as UTF-16 but ends within a character, at byte " + std::to_string(bytes.size() - 1));
    }
    const auto unitAt = [&](std::size_t at) -> std::uint32_t {
        if (at >= bytes.size()) {
            return 0;
        }
        const auto first = static_cast<unsigned char>(bytes[at]);
        const auto second = static_cast<unsigned char>(bytes[at + 1]);
        return isBigEndian ? first << 8 | second : second << 8 | first;
    };
    std::string text;
    text.reserve(bytes.size());
    for (std::size_t at = 2; at < bytes.size(); at += 2) {
        const std::uint32_t unit = unitAt(at);
        if (isHighSurrogate(unit) && isLowSurrogate(unitAt(at + 2))) {
            append(text, 0x10000 + ((unit - 0xD800) << 10) + (unitAt(at + 2) - 0xDC00));
            at += 2;
        } else if (isHighSurrogate(unit) || isLowSurrogate(unit)) {
            refuse(source, "is marked as UTF-16 but has half a character at byte " + std::to_string(at));
        } else {
            append(text, unit);
        }
    }
    return text;
}

}  // namespace

std::string toUtf8(std::string_view bytes, const std::filesystem::path& source) {
    if (bytes.starts_with("\xFF\xFE\0\0"sv) || bytes.starts_with("\0\0\xFE\xFF"sv)) {
        refuse(source, "is marked as UTF-32");
    }
    const bool isBigEndian = bytes.starts_with("\xFE\xFF");
    if (isBigEndian || bytes.starts_with("\xFF\xFE")) {
        return fromUtf16(bytes, isBigEndian, source);
    }
    const std::size_t invalid = firstInvalidUtf8(bytes);
    const std::size_t zero = std::min(bytes.find('\0'), bytes.size());
    if (zero < invalid) {
        refuse(source, "is no text: a zero at " + placeOf(bytes, zero));
    }
    if (invalid < bytes.size()) {
        refuse(source,
               "is not UTF-8: " + hex(static_cast<unsigned char>(bytes[invalid])) + " at " + placeOf(bytes, invalid));
    }
    return std::string(bytes.starts_with("\xEF\xBB\xBF") ? bytes.substr(3) : bytes);
}

}  // namespace kvist
