// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/text_table.h"

#include <QRegularExpression>

namespace kvist::ui {

namespace {

QString csvCell(QString cell) {
    static const QRegularExpression special(QStringLiteral("[\",\r\n]"));
    if (!cell.contains(special)) {
        return cell;
    }
    cell.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return QLatin1Char('"') + cell + QLatin1Char('"');
}

QString oneLine(QString cell) {
    static const QRegularExpression breaks(QStringLiteral("[\t\r\n]+"));
    return cell.replace(breaks, QStringLiteral(" "));
}

QString markdownCell(const QString& cell) {
    return oneLine(cell).replace(QLatin1Char('|'), QStringLiteral("\\|"));
}

QString joined(const QStringList& cells, QString (*encode)(QString), const QString& separator) {
    QStringList encoded;
    for (const QString& cell : cells) {
        encoded << encode(cell);
    }
    return encoded.join(separator);
}

QString markdown(const std::vector<QStringList>& rows) {
    QString text;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        QStringList cells;
        for (const QString& cell : rows[row]) {
            cells << markdownCell(cell);
        }
        text += QStringLiteral("| %1 |\n").arg(cells.join(QStringLiteral(" | ")));
        if (row == 0) {
            text += QLatin1Char('|') + QStringLiteral("---|").repeated(cells.size()) + QLatin1Char('\n');
        }
    }
    return text;
}

}  // namespace

QString tableText(const std::vector<QStringList>& rows, TableFormat format) {
    if (format == TableFormat::Markdown) {
        return markdown(rows);
    }
    const bool csv = format == TableFormat::Csv;
    QString text;
    for (const QStringList& row : rows) {
        text += joined(row, csv ? csvCell : oneLine, csv ? QStringLiteral(",") : QStringLiteral("\t"));
        text += csv ? QStringLiteral("\r\n") : QStringLiteral("\n");
    }
    return text;
}

}  // namespace kvist::ui
