// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "experiments/run_record.h"
#include "ui/charts/chart_spec.h"

namespace kvist::ui {

/// One HTML page that stands alone: what the runs came to in a few sentences, tables of quality, memory and speed with
/// their errors, the charts as pictures, settings and machine, and how to repeat each run. `charts` are those of the
/// same runs (standardCharts); empty ones are left out. Draws pictures, so for the window's thread alone.
QString htmlReport(const std::vector<experiments::RunRecord>& records, const std::vector<ChartSpec>& charts);

}  // namespace kvist::ui
