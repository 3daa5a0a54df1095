// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace kvist {

/// A quantised form of ggml: runs of elements that share scales, coded together in a block of bytes.
struct BlockFormat {
    const char* name;       ///< as ggml calls it ("Q4_K")
    std::uint32_t number;   ///< in GGUF files
    std::int64_t elements;  ///< of one block
    std::int64_t bytes;     ///< of one block
    /// Decodes one block of little-endian bytes, no alignment needed; null where this program does not read the form.
    void (*decode)(const std::byte* block, float* elements);
};

/// The format of this number in a GGUF file, or null where it is no quantised form that is known.
const BlockFormat* blockFormat(std::uint32_t number);

/// "Q4_0, Q4_1, …": the names of the forms that can be decoded.
const char* readableBlockFormats();

/// Decodes `count` blocks on the threads of libtorch. Same results as the reference (gguf 0.19, quants.py) bit for bit.
void decodeBlocks(const BlockFormat& format, const std::byte* blocks, std::int64_t count, float* elements);

}  // namespace kvist
