// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/files/tensor_file.h"

namespace kvist {

/// The weights of a model: one safetensors file, shards with their index, or GGUF files.
class Weights {
public:
    /// Maps and checks all files of a folder, or of a GGUF file. Throws EngineError(UnreadableFile) that names the file
    /// that is missing or damaged and the remedy.
    explicit Weights(const std::filesystem::path& model);

    bool has(const std::string& name) const { return find(name).has_value(); }

    /// Throws EngineError(UnreadableFile) with file and tensor where it is missing, has another shape, or holds no
    /// floating-point numbers.
    void check(const std::string& name, at::IntArrayRef shape) const;

    /// Copies a tensor into `destination`, which must be contiguous, decoding quantised blocks and converting the type.
    /// Throws as check() does, and EngineError(UnreadableFile) where a number is NaN or infinity.
    void copyTo(const std::string& name, at::Tensor destination) const;

    /// Called with the stored bytes of every part of at most 1 Mi elements that was copied; may throw to stop.
    void onCopied(std::function<void(std::int64_t)> listener) { m_onCopied = std::move(listener); }

    std::vector<std::filesystem::path> files() const;
    std::int64_t bytes() const;
    std::int64_t parameters() const;
    /// The type that most bytes are stored in ("bfloat16", "Q4_K").
    std::string storedType() const;

private:
    struct Found {
        const TensorFile* file;
        const StoredTensor* tensor;
    };

    void openFolder();
    std::optional<Found> find(const std::string& name) const;
    Found checked(const std::string& name, at::IntArrayRef shape) const;
    template <typename Function>
    void forEach(Function function) const;

    std::filesystem::path m_model;
    std::vector<std::unique_ptr<const TensorFile>> m_files;
    std::function<void(std::int64_t)> m_onCopied;
};

}  // namespace kvist
