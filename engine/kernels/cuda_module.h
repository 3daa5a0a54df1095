// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

struct KvistDecodeAttention;

namespace kvist::kernels {

class ModuleFile;

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
