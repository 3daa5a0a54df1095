// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/run_observer.h"
#include "engine/model/model_folder.h"
#include "engine/model/model_loader.h"
#include "tests/engine/support/golden_files.h"

namespace kvist::testing {

/// The demo model on the CPU.
inline std::unique_ptr<LoadedModel> loadDemoModel(at::ScalarType type) {
    ModelFolders folders;
    SilentObserver silent;
    return loadModel(folders.inspect(demoModel(), {}), {.device = at::kCPU, .type = type, .threads = 2}, silent, {});
}

}  // namespace kvist::testing
