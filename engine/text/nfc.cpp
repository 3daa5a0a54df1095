// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/nfc.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "engine/api/engine_error.h"

namespace kvist {
namespace {

/// Characters below U+0300, whose lead bytes are below CC, are normalised already, and so is any text of them.
bool isCertainlyNormal(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char byte) { return static_cast<unsigned char>(byte) < 0xCC; });
}

struct Free {
    void operator()(utf8proc_uint8_t* bytes) const { std::free(bytes); }
};

// utf8proc 2.8 takes U+11A7, one below the first Hangul final, for a final and swallows it after a syllable. It
// composes with nothing, so what stands before it can be normalised apart.
constexpr std::string_view kBeforeFirstFinal = "\xE1\x86\xA7";

void appendNfc(std::string_view text, std::string& normal) {
    utf8proc_uint8_t* bytes = nullptr;
    const auto size =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                     &bytes, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    const std::unique_ptr<utf8proc_uint8_t, Free> owner(bytes);
    if (size < 0) {
        const bool isMemory = size == UTF8PROC_ERROR_NOMEM || size == UTF8PROC_ERROR_OVERFLOW;
        throw EngineError(isMemory ? ErrorKind::OutOfMemory : ErrorKind::Internal,
                          std::string("normalising a text to NFC: ") + utf8proc_errmsg(size));
    }
    normal.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

}  // namespace

std::string toNfc(std::string_view text) {
    if (isCertainlyNormal(text)) {
        return std::string(text);
    }
    std::string normal;
    normal.reserve(text.size());
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(kBeforeFirstFinal, 1));
        appendNfc(part, normal);
        text.remove_prefix(part.size());
    }
    return normal;
}

}  // namespace kvist
