// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "ui/charts/run_groups.h"

namespace kvist::ui {

/// What one cell says: short, exactly, and as the number that it is sorted by (NaN where there is none).
struct RunCell {
    QString text;
    QString exact;
    double number = kNotMeasured;
};

/// One column of the runs table.
struct RunColumn {
    QString id;
    QString title;
    QString help;
    bool isNumber = false;
    std::function<RunCell(const experiments::RunRecord& run, const RunList& runs)> cell;
};

enum RunColumnIndex { kStateColumn, kPolicyColumn, kFirstFreeColumn };

const std::vector<RunColumn>& runColumns();

/// "Finished", for the table and the details.
QString stateText(experiments::RunState state);

/// Name of the state's icon.
QString stateIcon(experiments::RunState state);

}  // namespace kvist::ui
