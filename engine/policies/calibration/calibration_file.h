// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/policies/calibration/calibration.h"

namespace kvist {

/// Hash of the shape and the values of a calibration.
std::string digestOf(const at::Tensor& values);

/// Reads what writeCalibration() wrote for `key`; none where there is no such file, or where it is damaged or
/// belongs to something else.
std::optional<Calibration> readCalibration(const std::filesystem::path& file, const std::string& key);

/// Writes a JSON file as a whole. False where the folder cannot be written.
bool writeCalibration(const std::filesystem::path& file, const std::string& key, const Calibration& calibration);

}  // namespace kvist
