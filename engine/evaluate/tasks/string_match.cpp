// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/tasks/string_match.h"

#include <algorithm>

namespace kvist {
namespace {

std::string lowered(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

}  // namespace

std::int64_t matchedStrings(const std::string& answer, const std::vector<std::string>& expected) {
    const std::string text = lowered(answer);
    return std::count_if(expected.begin(), expected.end(),
                         [&](const std::string& one) { return text.find(lowered(one)) != std::string::npos; });
}

}  // namespace kvist
