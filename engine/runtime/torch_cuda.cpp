// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/torch_cuda.h"

#include <dlfcn.h>

#include <filesystem>

namespace kvist {

bool loadTorchCuda() {
    static const bool loaded = [] {
        std::error_code ignored;
        if (!std::filesystem::exists("/proc/driver/nvidia/version", ignored) &&
            !std::filesystem::exists("/dev/nvidiactl", ignored) && !std::filesystem::exists("/dev/dxg", ignored)) {
            return false;
        }
        // Stays loaded: libtorch keeps pointers into it.
        return dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL) != nullptr;
    }();
    return loaded;
}

}  // namespace kvist
