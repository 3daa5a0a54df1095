// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace kvist::kernels {

/// A shared library of Kvist's own that is loaded when it is needed: beside the executable, in ../lib/kvist, or in
/// the build tree. Stays loaded, since the CUDA runtime cannot be taken down in order.
class ModuleFile {
public:
    /// Path of the library; empty where there is none.
    static std::string find(const std::string& name);

    /// Throws EngineError(Device) where there is none or it cannot be loaded.
    explicit ModuleFile(const std::string& name);

    /// Throws EngineError(Device) where the library lacks it.
    template <class Function>
    Function function(const char* name) const {
        return reinterpret_cast<Function>(symbol(name));
    }

private:
    void* symbol(const char* name) const;

    std::string m_path;
    void* m_library;
};

}  // namespace kvist::kernels
