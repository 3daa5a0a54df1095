// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

struct KvistDecodeAttention;

namespace kvist::kernels {

class ModuleFile;

/// Makes libtorch's CUDA part known to libtorch: the program links only its CPU part, which starts faster and in a
/// quarter of the memory. To be called before libtorch is first asked about CUDA. Does nothing without an NVIDIA
/// driver; returns whether CUDA devices can be asked for.
bool loadTorchCuda();

/// Kvist's own CUDA kernels, in a shared library (ModuleFile).
class CudaModule {
public:
    /// The module, loaded at the first call; null where there is none. Throws EngineError(Device) where it cannot be
    /// loaded. Thread-safe.
    static const CudaModule* instance();

    /// Throws EngineError(Device) where the file lacks a function.
    explicit CudaModule(const ModuleFile& file);
    CudaModule(const CudaModule&) = delete;
    CudaModule& operator=(const CudaModule&) = delete;

    /// As in cuda/decode_attention.h.
    std::int64_t decodeWorkspace(const KvistDecodeAttention& call) const { return m_decodeWorkspace(&call); }
    /// Throws EngineError(Device) with the driver's message.
    void decodeAttention(const KvistDecodeAttention& call) const;

private:
    std::int64_t (*m_decodeWorkspace)(const KvistDecodeAttention*);
    const char* (*m_decodeAttention)(const KvistDecodeAttention*);
};

}  // namespace kvist::kernels
