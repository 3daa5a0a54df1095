// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

/// Decoders of single blocks of ggml's quantised forms, after dequantize_blocks() of gguf 0.19 (MIT licence): the same
/// float32 operations in the same order, so the files that define them are compiled without contraction.
namespace kvist::blocks {

// 32 elements
void decodeQ4_0(const std::byte* block, float* out);
void decodeQ4_1(const std::byte* block, float* out);
void decodeQ5_0(const std::byte* block, float* out);
void decodeQ5_1(const std::byte* block, float* out);
void decodeQ8_0(const std::byte* block, float* out);
void decodeIq4Nl(const std::byte* block, float* out);

// 256 elements
void decodeQ2K(const std::byte* block, float* out);
void decodeQ3K(const std::byte* block, float* out);
void decodeQ4K(const std::byte* block, float* out);
void decodeQ5K(const std::byte* block, float* out);
void decodeQ6K(const std::byte* block, float* out);

}  // namespace kvist::blocks
