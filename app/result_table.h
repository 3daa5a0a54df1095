// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "experiments/run_record.h"

namespace kvist::app {

/// Runs as aligned text for a terminal, one line each under a header; figures rounded to be read. Columns
/// that no run has a value for are left out.
std::string resultTable(const std::vector<experiments::RunRecord>& records);

/// "window sinks=4, 256 of 1536": the policy with its parameters, budget and context.
std::string runTitle(const experiments::RunRecord& record);

}  // namespace kvist::app
