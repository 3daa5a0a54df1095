// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "experiments/result.h"

namespace kvist::experiments {

/// The bytes of a file, or why it cannot be read.
Result<std::string> readFile(const std::string& path);

/// A pipe, a terminal or another device, to which one writes and which is never replaced.
bool isDevice(const std::string& path);

/// Replaces a file as a whole or leaves it as it was; writes to a device. Returns the path, or why it cannot be
/// written.
Result<std::string> writeFile(const std::string& path, std::string_view bytes);

}  // namespace kvist::experiments
