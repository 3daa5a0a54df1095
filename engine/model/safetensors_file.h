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

#include "engine/runtime/mapped_file.h"

namespace kvist {

/// One tensor as it lies in a file.
struct StoredTensor {
    at::ScalarType type = at::kFloat;
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes;  ///< row-major, little-endian
};

/// A memory-mapped safetensors file whose header has been checked: every tensor lies inside the file, has
/// the bytes that its shape asks for and overlaps no other.
class SafetensorsFile {
public:
    /// Throws EngineError(UnreadableFile) that names the file and, where it is one, the tensor.
    explicit SafetensorsFile(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return m_file.path(); }
    const std::map<std::string, StoredTensor>& tensors() const { return m_tensors; }

private:
    MappedFile m_file;
    std::map<std::string, StoredTensor> m_tensors;
};

}  // namespace kvist
