// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/model/safetensors_file.h"

namespace kvist {

/// The weights of a model folder: one safetensors file, or shards with their index.
class Weights {
public:
    /// Maps and checks all files. Throws EngineError(UnreadableFile) that names the file that is missing or
    /// damaged and the remedy.
    explicit Weights(const std::filesystem::path& folder);

    bool has(const std::string& name) const;

    /// Copies a tensor into `destination`, which must be contiguous, converting its type. Throws
    /// EngineError(UnreadableFile) with file and tensor where it is missing, has another shape, or holds NaN or
    /// infinity.
    void copyTo(const std::string& name, at::Tensor destination) const;

    /// Called with the stored bytes of every block of at most 64 MiB that was copied; may throw to stop.
    void onCopied(std::function<void(std::int64_t)> listener) { m_onCopied = std::move(listener); }

    std::vector<std::filesystem::path> files() const;
    std::int64_t bytes() const;
    std::int64_t parameters() const;
    /// The type that most bytes are stored in ("bfloat16").
    std::string storedType() const;

private:
    const StoredTensor& find(const std::string& name) const;

    std::filesystem::path m_folder;
    std::vector<SafetensorsFile> m_files;
    std::function<void(std::int64_t)> m_onCopied;
};

}  // namespace kvist
