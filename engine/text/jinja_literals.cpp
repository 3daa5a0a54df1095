// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja_literals.h"

#include <algorithm>

namespace kvist {
namespace {

std::string unescaped(std::string_view text) {
    constexpr std::string_view kEscapes = "ntr\\'\"";
    constexpr std::string_view kMeanings = "\n\t\r\\'\"";
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t known =
            text[at] == '\\' && at + 1 < text.size() ? kEscapes.find(text[at + 1]) : std::string_view::npos;
        if (known == std::string_view::npos) {
            result += text[at];
            continue;
        }
        result += kMeanings[known];
        ++at;
    }
    return result;
}

/// The place of the quote that ends a literal; the size where there is none.
std::size_t closingQuote(std::string_view text, std::size_t from, char quote) {
    std::size_t at = from;
    while (at < text.size() && text[at] != quote) {
        at += text[at] == '\\' ? 2 : 1;
    }
    return std::min(at, text.size());
}

}  // namespace

std::vector<std::string> jinjaLiterals(std::string_view text) {
    std::vector<std::string> literals;
    bool isInside = false;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view two = text.substr(at, 2);
        if (!isInside && two == "{#") {
            const std::size_t end = text.find("#}", at + 2);
            at = end == std::string_view::npos ? text.size() : end + 2;
        } else if (two == "{{" || two == "{%" || two == "}}" || two == "%}") {
            isInside = two[0] == '{';
            at += 2;
        } else if (isInside && (text[at] == '\'' || text[at] == '"')) {
            const std::size_t end = closingQuote(text, at + 1, text[at]);
            if (end < text.size()) {
                literals.push_back(unescaped(text.substr(at + 1, end - at - 1)));
            }
            at = end + 1;
        } else {
            ++at;
        }
    }
    return literals;
}

}  // namespace kvist
