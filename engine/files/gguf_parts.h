// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "engine/files/gguf_file.h"

namespace kvist {

/// All files of the model that a GGUF file belongs to, in order: the file itself, or the parts where it is named
/// "…-00001-of-0000N.gguf". Looks at names alone.
std::vector<std::filesystem::path> ggufParts(const std::filesystem::path& file);

/// Opens them all; the first holds the metadata. Throws as GgufFile does, and EngineError(UnreadableFile) that names
/// the part that is missing or belongs to another model.
std::vector<std::unique_ptr<const GgufFile>> openGguf(const std::filesystem::path& file);

}  // namespace kvist
