// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "experiments/run_record.h"
#include "ui/charts/chart_spec.h"
#include "ui/style/series_mark.h"

namespace kvist::ui {

using RunList = std::vector<const experiments::RunRecord*>;

/// The runs of one curve. Settings that differ never share one.
struct RunGroup {
    RunList runs;
    QString name;    ///< what tells this curve from the others
    QString common;  ///< the same without the budget
    QString budget;  ///< empty where it runs along the curve, or there is none
    SeriesStyle style;

    const experiments::RunRecord& first() const { return *runs.front(); }
};

/// Which settings may differ along a curve; repeats and seeds always may.
struct AlongCurve {
    bool budget = false;
    bool context = false;
    bool evaluation = false;  ///< what else was measured, on which text
    bool place = false;       ///< length and depth of a retrieval task
};

/// Finished runs that have the figure, in groups: by policy in the order of the catalog, then by budget.
/// Named by the settings that differ between them; at least by the policy.
std::vector<RunGroup> groupedRuns(const RunList& runs, const std::string& metric, AlongCurve along);

/// Names for runs that stand beside each other, each by what differs.
QStringList namesOf(const RunList& runs, AlongCurve along = {});

using RunNumber = std::function<double(const experiments::RunRecord&)>;
using RunNote = std::function<QString(const experiments::RunRecord&)>;

/// A stored figure of a run; NaN for an empty name.
RunNumber figureNamed(const std::string& metric);

/// Points of one figure over x; runs with the same x (repeats) become their mean.
std::vector<ChartPoint> pointsOf(const RunGroup& group, const RunNumber& x, const RunNumber& y, const RunNumber& error,
                                 const RunNote& note);

/// The finished perplexity run of the same model, policy, parameters and budget: what must stand beside a
/// speed. Null where it was not measured.
const experiments::RunRecord* qualityBeside(const experiments::RunRecord& run, const RunList& runs);

/// "29.52 ± 0.31", or "not measured".
QString perplexityText(const experiments::RunRecord* run);

/// "Perplexity · Window 512 · 1024 + 512": a run in one line of the log or the status bar.
QString runTitle(const experiments::RunRecord& run);

/// "1024 + 512", "depth 4096", or the tokens that the evaluation reads: "2048".
QString contextText(const experiments::RunRecord& run);

/// "Perplexity", "Retrieval, multi-key, 50 %": what was measured, in short.
QString evaluationText(const experiments::RunRecord& run);

/// "sinks 4, recent 32"
QString parametersText(const experiments::RunRecord& run);

}  // namespace kvist::ui
