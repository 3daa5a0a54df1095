// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "experiments/sweep.h"
#include "ui/charts/run_groups.h"

namespace kvist::ui {

/// One fact about a run, as details and comparisons show it.
struct RunFact {
    QString section;
    QString name;
    QString value;
    QString help;
};

/// Settings, figures with their errors and differences to the full cache, provenance. `runs` are those that
/// a speed's perplexity is looked for in.
std::vector<RunFact> factsOf(const experiments::RunRecord& run, const RunList& runs);

/// A figure with its unit and standard error: "29.52 ± 0.31", "1.5 MiB"; empty where it was not measured.
QString figureText(const experiments::RunRecord& run, const std::string& metric);

/// Rich text with a heading per section. `muted` is the colour of names and headings.
QString factsHtml(const std::vector<RunFact>& facts, const QString& muted);

/// A table of the facts in which the runs differ, one column per run.
QString comparisonHtml(const RunList& compared, const RunList& runs, const QString& muted);

/// The sweep that measures this run again and nothing else, and its JSON.
experiments::Sweep sweepOf(const experiments::RunRecord& run);
QString sweepJsonOf(const experiments::RunRecord& run);

/// A shell command that measures the run again without the window, its sweep file in a here-document.
QString repeatCommand(const experiments::RunRecord& run);

}  // namespace kvist::ui
