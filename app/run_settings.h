// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "app/command_line.h"
#include "engine/api/engine.h"

namespace kvist::app {

/// What --generate and --score have in common, looked up and checked: model, policy, store, budget, chunk and seed.
/// `context` is the number of tokens that a share in --budget refers to; 0 where there is none. Throws
/// EngineError(InvalidInput or UnreadableFile) that names the option and the remedy.
RunConfig settingsOf(const CommandLine& line, const Engine& engine, const std::string& resources, std::int64_t context,
                     std::stop_token stop);

/// A path as typed: from the working folder, otherwise from the program's resources. Throws as above.
std::string foundPath(const std::string& path, const std::string& resources);

}  // namespace kvist::app
