// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/charts/run_groups.h"

namespace kvist::ui {

enum class ReportTable { Quality, Memory, Speed };

/// HTML table of the finished runs that have one of the table's figures, with the columns in which any has a value;
/// empty where there are none. `runs` are all runs, among which a speed's perplexity is looked for.
QString reportTable(ReportTable kind, const RunList& runs);

}  // namespace kvist::ui
