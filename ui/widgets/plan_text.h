// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "experiments/sweep_plan.h"

namespace kvist::ui {

/// "12 runs: 8 new, 4 already stored"
QString planCountText(const experiments::SweepPlan& plan, bool repeatsStored);

/// Time, memory against what there is, baselines added, combinations that cannot run with their reason.
QString planDetailsText(const experiments::SweepPlan& plan, bool repeatsStored);

/// Runs that Start would measure.
std::size_t runsToMeasure(const experiments::SweepPlan& plan, bool repeatsStored);

/// "1:12" or "2 h 05 min"; "–" for NaN.
QString durationText(double seconds);

}  // namespace kvist::ui
