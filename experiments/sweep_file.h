// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "experiments/result.h"
#include "experiments/sweep.h"

namespace kvist::experiments {

/// Reads the JSON of a sweep file. Unknown keys are refused with their line and the nearest known key, wrong
/// types, ranges, policies and parameter values with the key and what would be right. What is missing stays
/// at its default; models and texts are not looked up: the plan does that.
Result<Sweep> parseSweep(std::string_view json);

/// The JSON of a sweep; parseSweep gives the same sweep again (but for Sweep::folder).
std::string toJson(const Sweep& sweep);

/// As parseSweep, messages beginning with the file's name; sets Sweep::folder.
Result<Sweep> readSweepFile(const std::string& path);

/// Replaces the file as a whole or leaves it as it was. Returns the path, or what went wrong.
Result<std::string> writeSweepFile(const std::string& path, const Sweep& sweep);

/// A path of a sweep: absolute as it is, otherwise looked up beside the sweep file, then in the program's
/// resources (with or without "resources/" in front). Absolute and clean; refused with the places that were
/// looked at where nothing is there.
Result<std::string> resolvedPath(const std::string& path, const std::string& sweepFolder, const std::string& resources);

}  // namespace kvist::experiments
