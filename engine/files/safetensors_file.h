// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "engine/files/tensor_file.h"
#include "engine/runtime/mapped_file.h"

namespace kvist {

/// A memory-mapped safetensors file.
class SafetensorsFile final : public TensorFile {
public:
    /// Throws EngineError(UnreadableFile) that names the file and, where it is one, the tensor; a file of another kind
    /// is called by its kind.
    explicit SafetensorsFile(const std::filesystem::path& path);

    const std::filesystem::path& path() const override { return m_file.path(); }
    const std::map<std::string, StoredTensor>& tensors() const override { return m_tensors; }

private:
    MappedFile m_file;
    std::map<std::string, StoredTensor> m_tensors;
};

}  // namespace kvist
