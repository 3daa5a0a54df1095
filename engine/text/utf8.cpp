// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/utf8.h"

#include <algorithm>
#include <array>

namespace kvist {
namespace {

/// What may follow a lead byte: how many bytes, and the range of the first of them (the rest are 80…BF).
struct Continuation {
    int count = 0;
    unsigned char low = 0x80;
    unsigned char high = 0xBF;
};

/// Unicode, table 3-7; a count of -1 marks bytes that cannot begin a character.
Continuation continuationOf(unsigned char lead) {
    if (lead < 0x80) {
        return {0};
    }
    if (lead < 0xC2 || lead > 0xF4) {
        return {-1};
    }
    if (lead < 0xE0) {
        return {1};
    }
    if (lead < 0xF0) {
        return {2, static_cast<unsigned char>(lead == 0xE0 ? 0xA0 : 0x80),
                static_cast<unsigned char>(lead == 0xED ? 0x9F : 0xBF)};
    }
    return {3, static_cast<unsigned char>(lead == 0xF0 ? 0x90 : 0x80),
            static_cast<unsigned char>(lead == 0xF4 ? 0x8F : 0xBF)};
}

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Sequence {
    std::size_t length = 0;
    bool isValid = false;
};

/// The character that a text begins with, or as much of it as is there.
Sequence sequenceOf(std::string_view text) {
    const auto [count, low, high] = continuationOf(static_cast<unsigned char>(text[0]));
    std::size_t end = 1;
    int found = 0;
    for (; found < count && end < text.size(); ++found, ++end) {
        const auto byte = static_cast<unsigned char>(text[end]);
        if (byte < (found == 0 ? low : 0x80) || byte > (found == 0 ? high : 0xBF)) {
            break;
        }
    }
    return {end, found == count};
}

/// Python's str.isspace(), beyond ASCII; each as UTF-8.
constexpr std::array<std::string_view, 19> kWideSpaces = {
    "\u0085", "\u00A0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
    "\u2007", "\u2008", "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"};

}  // namespace

std::string replaceInvalidUtf8(std::string_view text) {
    std::string valid;
    valid.reserve(text.size());
    while (!text.empty()) {
        const auto [length, isValid] = sequenceOf(text);
        valid += isValid ? text.substr(0, length) : kReplacement;
        text.remove_prefix(length);
    }
    return valid;
}

std::size_t firstInvalidUtf8(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const auto [length, isValid] = sequenceOf(text.substr(at));
        if (!isValid) {
            return at;
        }
        at += length;
    }
    return at;
}

bool isBlank(std::string_view text) {
    while (!text.empty()) {
        const char byte = text.front();
        if (byte == ' ' || (byte >= '\t' && byte <= '\r') || (byte >= '\x1C' && byte <= '\x1F')) {
            text.remove_prefix(1);
            continue;
        }
        const auto* wide = std::find_if(kWideSpaces.begin(), kWideSpaces.end(),
                                        [&](std::string_view space) { return text.starts_with(space); });
        if (wide == kWideSpaces.end()) {
            return false;
        }
        text.remove_prefix(wide->size());
    }
    return true;
}

}  // namespace kvist
