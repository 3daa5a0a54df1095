// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/model/model_config.h"

namespace kvist {

/// The numbers of a Qwen2 model from metadata and tensor table of a GGUF file. Throws as readModelConfig() does.
ModelConfig readGgufConfig(const std::filesystem::path& file);

}  // namespace kvist
