// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/special_tokens.h"

#include <algorithm>
#include <utility>

namespace kvist {

SpecialTokens::SpecialTokens(std::vector<AddedToken> tokens) : m_tokens(std::move(tokens)) {
    std::stable_sort(m_tokens.begin(), m_tokens.end(), [](const AddedToken& left, const AddedToken& right) {
        return left.content.size() > right.content.size();
    });
    for (const AddedToken& token : m_tokens) {
        if (m_firstBytes.find(token.content.front()) == std::string::npos) {
            m_firstBytes += token.content.front();
        }
    }
}

std::optional<SpecialTokens::Match> SpecialTokens::find(std::string_view text, std::size_t from) const {
    while ((from = text.find_first_of(m_firstBytes, from)) != std::string_view::npos) {
        const std::string_view rest = text.substr(from);
        for (const AddedToken& token : m_tokens) {
            if (rest.starts_with(token.content)) {
                return Match{from, token.content.size(), token.id};
            }
        }
        ++from;
    }
    return std::nullopt;
}

bool SpecialTokens::hasByte(char byte) const {
    return std::any_of(m_tokens.begin(), m_tokens.end(),
                       [byte](const AddedToken& token) { return token.content.find(byte) != std::string::npos; });
}

}  // namespace kvist
