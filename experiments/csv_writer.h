// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "experiments/result.h"
#include "experiments/run_record.h"

namespace kvist::experiments {

/// The column names in order: the fixed first ones, the figures, the provenance, the error, later additions.
const std::vector<std::string>& csvColumns();

/// RFC 4180 with a header row, one row per run, C locale, shortest text that reads back to the same number,
/// empty where not measured.
std::string toCsv(const std::vector<RunRecord>& records);

/// Replaces the file as a whole or leaves it as it was. Returns the path, or what went wrong.
Result<std::string> writeCsvFile(const std::string& path, const std::vector<RunRecord>& records);

}  // namespace kvist::experiments
