// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace kvist {

/// Facts about a model folder or GGUF file.
struct ModelInfo {
    std::string path;          ///< absolute folder or GGUF file
    std::string name;          ///< last part of the path, the repository of a cache entry, a GGUF file without ending
    std::string architecture;  ///< "Qwen2ForCausalLM"
    std::int64_t layers = 0;
    std::int64_t queryHeads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    std::int64_t hiddenSize = 0;
    std::int64_t intermediateSize = 0;
    std::int64_t vocabularySize = 0;
    std::int64_t maxPositions = 0;
    bool tiedEmbeddings = false;
    std::int64_t parameters = 0;   ///< count of weights
    std::int64_t weightBytes = 0;  ///< as stored in the files
    std::string storedType;        ///< "bfloat16", "float16", "float32", or most of a GGUF file ("Q4_K")
    std::string tokenizer;         ///< "byte-level BPE" or "SentencePiece"
    std::string fingerprint;       ///< hash of configuration, tokenizer and weights

    /// Bytes of one token's keys and values over all layers: 2 · layers · kv_heads · head_dim · element size.
    std::int64_t kvBytesPerToken(int elementSize) const;
};

}  // namespace kvist
