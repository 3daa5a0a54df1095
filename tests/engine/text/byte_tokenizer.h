// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/text/tokenizer.h"

namespace kvist::testing {

/// One id per byte; remembers how much it was given.
class ByteTokenizer final : public Tokenizer {
public:
    std::vector<std::int32_t> encode(std::string_view text) const override {
        ++calls;
        bytes += text.size();
        return {text.begin(), text.end()};
    }
    std::string decode(std::span<const std::int32_t>) const override { return {}; }
    std::int64_t vocabularySize() const override { return 256; }
    std::optional<std::int32_t> endOfText() const override { return std::nullopt; }
    std::string name() const override { return "bytes"; }

    mutable std::int64_t calls = 0;
    mutable std::size_t bytes = 0;
};

}  // namespace kvist::testing
