// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/module_file.h"

#include "engine/api/engine_error.h"

#include <dlfcn.h>

#include <filesystem>

namespace kvist::kernels {

std::string ModuleFile::find(const std::string& name) {
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const std::filesystem::path& candidate :
         {folder / name, folder / "../lib/kvist" / name, std::filesystem::path(KVIST_MODULE_FOLDER) / name})
        if (std::filesystem::exists(candidate, ignored))
            return candidate.string();
    return {};
}

ModuleFile::ModuleFile(const std::string& name) : m_path(find(name)) {
    if (m_path.empty())
        throw EngineError(ErrorKind::Device, "there is no " + name + ": build with KVIST_CUDA=ON");
    m_library = dlopen(m_path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!m_library)
        throw EngineError(ErrorKind::Device, std::string("cannot load CUDA code: ") + dlerror());
}

void* ModuleFile::symbol(const char* name) const {
    void* symbol = dlsym(m_library, name);
    if (!symbol)
        throw EngineError(ErrorKind::Device, m_path + " lacks " + name + ": it is of another version; build it again");
    return symbol;
}

}  // namespace kvist::kernels
