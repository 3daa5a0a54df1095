// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/added_token.h"

namespace kvist {

/// Finds added tokens written out in a text: the leftmost, and there the longest.
class SpecialTokens {
public:
    struct Match {
        std::size_t position;
        std::size_t length;
        std::int32_t id;
    };

    /// The contents are not empty.
    explicit SpecialTokens(std::vector<AddedToken> tokens);

    std::optional<Match> find(std::string_view text, std::size_t from) const;

    /// Calls onText(std::string_view) for what lies between tokens and onToken(id) for each of them, in order.
    template <typename OnText, typename OnToken>
    void cut(std::string_view text, OnText onText, OnToken onToken) const {
        std::size_t start = 0;
        while (const auto match = find(text, start)) {
            if (match->position > start) {
                onText(text.substr(start, match->position - start));
            }
            onToken(match->id);
            start = match->position + match->length;
        }
        if (start < text.size()) {
            onText(text.substr(start));
        }
    }

    /// Whether a token's content holds this byte.
    bool hasByte(char byte) const;

private:
    std::vector<AddedToken> m_tokens;  ///< longest first
    std::string m_firstBytes;
};

}  // namespace kvist
