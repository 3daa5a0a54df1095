// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cuda_module.h"

#include "engine/api/engine_error.h"
#include "engine/kernels/cuda/decode_attention.h"
#include "engine/kernels/module_file.h"

#include <memory>
#include <string>

namespace kvist::kernels {

namespace {

constexpr const char* kModuleFile = "libkvist_cuda.so";

}  // namespace

const CudaModule* CudaModule::instance() {
    static const std::unique_ptr<const CudaModule> module = []() -> std::unique_ptr<const CudaModule> {
        return ModuleFile::find(kModuleFile).empty() ? nullptr
                                                     : std::make_unique<const CudaModule>(ModuleFile(kModuleFile));
    }();
    return module.get();
}

CudaModule::CudaModule(const ModuleFile& file)
    : m_decodeWorkspace(file.function<decltype(m_decodeWorkspace)>("kvistDecodeWorkspace")),
      m_decodeAttention(file.function<decltype(m_decodeAttention)>("kvistDecodeAttention")) {}

void CudaModule::decodeAttention(const KvistDecodeAttention& call) const {
    if (const char* problem = m_decodeAttention(&call))
        throw EngineError(ErrorKind::Device, std::string("CUDA attention: ") + problem);
}

}  // namespace kvist::kernels
