// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

namespace kvist::ui {

enum class TableFormat { Csv, Tsv, Markdown };

/// Rows of cells as text; the first row is the header. CSV after RFC 4180 (CRLF, quoted where needed); tabs
/// and line breaks inside TSV cells become spaces; bars inside Markdown cells are escaped.
QString tableText(const std::vector<QStringList>& rows, TableFormat format);

}  // namespace kvist::ui
