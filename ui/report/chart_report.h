// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

#include "experiments/result.h"
#include "experiments/run_record.h"

namespace kvist::ui {

using DetailsReader = std::function<experiments::RunDetails(experiments::RunId)>;

/// Writes every standard chart that has something to show as `<name>.png` into a folder, which is made where
/// it is missing, and replaces files of those names. Gives the number of pictures, or what went wrong. Needs
/// a QApplication; the offscreen platform will do.
experiments::Result<int> writeChartPictures(const std::vector<experiments::RunRecord>& records,
                                            const DetailsReader& details, const QString& folder, int scale = 2);

/// Writes htmlReport() with these charts to a file. Gives its path, or what went wrong.
experiments::Result<std::string> writeHtmlReport(const std::vector<experiments::RunRecord>& records,
                                                 const DetailsReader& details, const QString& path);

}  // namespace kvist::ui
