// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/model/decoder.h"
#include "engine/model/weights.h"
#include "tests/engine/support/golden_files.h"

namespace kvist::testing {

inline Decoder loadDecoder(const std::filesystem::path& folder, at::ScalarType type) {
    return Decoder(readModelConfig(folder), Weights(folder), at::TensorOptions(type));
}

/// Ids below `vocabulary` (that any tiny model knows) in a fixed irregular order.
inline std::vector<std::int32_t> someTokens(std::size_t count, std::uint32_t vocabulary = 64) {
    std::vector<std::int32_t> tokens(count);
    std::uint32_t state = 12345;
    for (std::int32_t& token : tokens) {
        state = state * 1664525U + 1013904223U;
        token = static_cast<std::int32_t>((state >> 16) % vocabulary);
    }
    return tokens;
}

}  // namespace kvist::testing
