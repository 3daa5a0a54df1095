// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <c10/core/ScalarType.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace kvist {

struct BlockFormat;

/// One tensor as it lies in a file.
struct StoredTensor {
    at::ScalarType type = at::kFloat;  ///< of the elements; float32 where they come in quantised blocks
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes;     ///< row-major, little-endian
    const BlockFormat* blocks = nullptr;  ///< how runs of elements are quantised; null where they are plain numbers

    std::int64_t elements() const;
    /// "bfloat16", or the name of the block format ("Q4_K").
    std::string typeName() const;
};

/// A memory-mapped file of tensors whose header has been checked: every tensor lies inside the file, has the
/// bytes that its shape asks for and overlaps no other.
class TensorFile {
public:
    virtual ~TensorFile() = default;
    virtual const std::filesystem::path& path() const = 0;
    /// By the names that Hugging Face's Qwen2 gives them.
    virtual const std::map<std::string, StoredTensor>& tensors() const = 0;
};

/// Throws EngineError(UnreadableFile) with the names of the first two tensors that share bytes.
void checkOverlaps(const std::filesystem::path& path, const std::map<std::string, StoredTensor>& tensors);

}  // namespace kvist
