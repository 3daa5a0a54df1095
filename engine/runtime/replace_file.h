// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>

namespace kvist {

/// Writes a file under a name of this process's own beside its place and moves it there when it is whole: readers find
/// the old file or the new one, never a part, and two programs may write at once. Makes the folder where it is missing.
/// False where the disk refuses, with the old file as it was; what `write` throws passes through likewise.
bool replaceFile(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

}  // namespace kvist
