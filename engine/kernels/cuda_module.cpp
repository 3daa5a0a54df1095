// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cuda_module.h"

#include "engine/api/engine_error.h"
#include "engine/kernels/cuda/decode_attention.h"

#include <dlfcn.h>

#include <filesystem>
#include <memory>

namespace kvist::kernels {

namespace {

constexpr const char* kModuleFile = "libkvist_cuda.so";

/// Where the module may be, the likeliest first.
std::string findModule() {
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const std::filesystem::path& candidate : {folder / kModuleFile, folder / "../lib/kvist" / kModuleFile,
                                                   std::filesystem::path(KVIST_MODULE_FOLDER) / kModuleFile})
        if (std::filesystem::exists(candidate, ignored))
            return candidate.string();
    return {};
}

template <class Function>
Function find(void* library, const std::string& path, const char* name) {
    void* symbol = dlsym(library, name);
    if (!symbol)
        throw EngineError(ErrorKind::Device, path + " lacks " + name + ": it is of another version; build it again");
    return reinterpret_cast<Function>(symbol);
}

}  // namespace

bool loadTorchCuda() {
    static const bool loaded = [] {
        std::error_code ignored;
        if (!std::filesystem::exists("/proc/driver/nvidia/version", ignored) &&
            !std::filesystem::exists("/dev/nvidiactl", ignored) && !std::filesystem::exists("/dev/dxg", ignored))
            return false;
        // Stays loaded: libtorch keeps pointers into it.
        return dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL) != nullptr;
    }();
    return loaded;
}

const CudaModule* CudaModule::instance() {
    static const std::unique_ptr<const CudaModule> module = []() -> std::unique_ptr<const CudaModule> {
        const std::string path = findModule();
        return path.empty() ? nullptr : std::make_unique<const CudaModule>(path);
    }();
    return module.get();
}

CudaModule::CudaModule(const std::string& path) {
    // Stays loaded: the CUDA runtime in it cannot be taken down in order.
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        throw EngineError(ErrorKind::Device, std::string("cannot load the CUDA kernels: ") + dlerror());
    m_decodeWorkspace = find<decltype(m_decodeWorkspace)>(library, path, "kvistDecodeWorkspace");
    m_decodeAttention = find<decltype(m_decodeAttention)>(library, path, "kvistDecodeAttention");
}

void CudaModule::decodeAttention(const KvistDecodeAttention& call) const {
    if (const char* problem = m_decodeAttention(&call))
        throw EngineError(ErrorKind::Device, std::string("CUDA attention: ") + problem);
}

}  // namespace kvist::kernels
