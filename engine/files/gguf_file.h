// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/files/gguf_metadata.h"
#include "engine/files/tensor_file.h"
#include "engine/runtime/mapped_file.h"

namespace kvist {

/// A memory-mapped GGUF file, version 2 or 3 (github.com/ggml-org/ggml, docs/gguf.md): metadata and tensors. Tensors
/// that Qwen2 has go by Hugging Face's names, others by their own.
class GgufFile final : public TensorFile {
public:
    /// Throws EngineError(UnreadableFile) that names the file and, where it is one, key or tensor; for another kind of
    /// file it says which. Throws EngineError(UnsupportedModel) for quantised forms that are not read.
    explicit GgufFile(const std::filesystem::path& path);

    const std::filesystem::path& path() const override { return m_file.path(); }
    const std::map<std::string, StoredTensor>& tensors() const override { return m_tensors; }
    const GgufMetadata& metadata() const { return m_metadata; }

private:
    MappedFile m_file;
    GgufMetadata m_metadata;
    std::map<std::string, StoredTensor> m_tensors;
};

/// Name of a tensor of llama.cpp's Qwen2 as Hugging Face has it ("blk.3.attn_q.weight" is
/// "model.layers.3.self_attn.q_proj.weight"); other names come back unchanged.
std::string huggingFaceName(const std::string& name);

}  // namespace kvist
