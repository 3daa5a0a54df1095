// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/pretokenizer.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <cstdint>
#include <string>

#include "engine/api/engine_error.h"

namespace kvist {
namespace {

// \s and \S of the published pattern are Unicode's White_Space. PCRE2's also hold U+180E, so they are spelled out.
constexpr std::string_view kSpace =
    R"(\x{9}-\x{D}\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})";

void replaceAll(std::string& text, std::string_view what, const std::string& with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
        text.replace(at, what.size(), with);
    }
}

std::string patternForPcre2() {
    std::string pattern(Pretokenizer::publishedPattern());
    replaceAll(pattern, R"([^\s)", "[^" + std::string(kSpace));
    replaceAll(pattern, R"(\s)", "[" + std::string(kSpace) + "]");
    replaceAll(pattern, R"(\S)", "[^" + std::string(kSpace) + "]");
    return pattern;
}

std::string messageOf(int code) {
    std::array<PCRE2_UCHAR, 256> text{};
    pcre2_get_error_message(code, text.data(), text.size());
    return reinterpret_cast<const char*>(text.data());
}

template <auto freeFunction>
struct Freed {
    template <typename T>
    void operator()(T* object) const {
        freeFunction(object);
    }
};

}  // namespace

std::string_view Pretokenizer::publishedPattern() {
    return R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
}

Pretokenizer::Pretokenizer() {
    int code = 0;
    PCRE2_SIZE offset = 0;
    const std::string pattern = patternForPcre2();
    m_code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), PCRE2_UTF | PCRE2_UCP,
                               &code, &offset, nullptr),
                 Freed<pcre2_code_free>());
    if (m_code == nullptr) {
        throw EngineError(ErrorKind::Internal, "PCRE2 refuses the pre-tokenisation pattern: " + messageOf(code));
    }
    // Where compiling to machine code is forbidden the interpreter does the same, more slowly.
    static_cast<void>(pcre2_jit_compile(m_code.get(), PCRE2_JIT_COMPLETE));
}

std::vector<std::string_view> Pretokenizer::split(std::string_view text) const {
    const std::unique_ptr<pcre2_match_data, Freed<pcre2_match_data_free>> match(pcre2_match_data_create(1, nullptr));
    const std::unique_ptr<pcre2_match_context, Freed<pcre2_match_context_free>> context(
        pcre2_match_context_create(nullptr));
    if (match == nullptr || context == nullptr) {
        throw EngineError(ErrorKind::OutOfMemory, "no memory to split a text into pieces");
    }
    pcre2_set_match_limit(context.get(), UINT32_MAX);  // backtracking is linear in this pattern
    std::vector<std::string_view> pieces;
    pieces.reserve(text.size() / 4);
    for (std::size_t start = 0; start < text.size();) {
        const int code = pcre2_match(m_code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), start,
                                     PCRE2_NO_UTF_CHECK | PCRE2_ANCHORED, match.get(), context.get());
        const std::size_t end = code < 0 ? start : pcre2_get_ovector_pointer(match.get())[1];
        if (end <= start) {
            throw EngineError(ErrorKind::Internal, "splitting a text into pieces fails at byte " +
                                                       std::to_string(start) + ": " + messageOf(code));
        }
        pieces.push_back(text.substr(start, end - start));
        start = end;
    }
    return pieces;
}

}  // namespace kvist
