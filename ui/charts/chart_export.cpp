// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.h"

#include <QApplication>
#include <QGraphicsScene>
#include <QPainter>
#include <cmath>
#include <memory>

#include "experiments/number_text.h"
#include "ui/charts/axis_ticks.h"
#include "ui/charts/plot.h"
#include "ui/report/text_table.h"
#include "ui/style/metrics.h"

namespace kvist::ui {

namespace {

constexpr double kWidthInLines = 56;
constexpr double kPlotHeightInLines = 27;

QFont exportFont() {
    QFont font = tabularFont(QApplication::font());
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

QString columnName(const ChartAxis& axis) {
    const QString unit = axis.format == AxisFormat::Bytes ? QStringLiteral("B") : axis.unit;
    return unit.isEmpty() ? axis.title : QStringLiteral("%1 (%2)").arg(axis.title, unit);
}

QString cell(double value) {
    return std::isfinite(value) ? QString::fromStdString(experiments::numberText(value)) : QString();
}

QByteArray mapCsv(const ChartSpec& spec) {
    std::vector<QStringList> rows{{QStringLiteral("series"), columnName(spec.x), columnName(spec.y),
                                   columnName(spec.value), QStringLiteral("note")}};
    for (const ChartSeries& series : spec.series) {
        for (const ChartPoint& point : series.points) {
            rows.push_back({series.name, cell(point.x), cell(point.y), cell(100 * point.value), point.note});
        }
    }
    return tableText(rows, TableFormat::Csv).toUtf8();
}

}  // namespace

QImage chartImage(const ChartSpec& spec, int scale) {
    ChartLook look{lightColors(), exportFont()};
    const QFontMetricsF metrics(look.font);
    const double line = metrics.height();
    const double margin = line;
    QFont titleFont = look.font;
    titleFont.setPointSizeF(look.font.pointSizeF() * 1.3);
    titleFont.setBold(true);
    const double titleHeight = QFontMetricsF(titleFont).height() + line / 2;
    const double width = kWidthInLines * line;
    const QString caption = spec.caption.join(QStringLiteral(" · "));
    const QRectF captionArea =
        metrics.boundingRect(QRectF(0, 0, width - 2 * margin, line * 20), Qt::AlignLeft | Qt::TextWordWrap, caption);
    const double captionHeight = caption.isEmpty() ? 0 : captionArea.height() + line / 2;
    const double plotHeight = kPlotHeightInLines * line;
    const double height = margin + titleHeight + plotHeight + captionHeight + margin;

    const QRectF plotArea(0, 0, width - 2 * margin, plotHeight);
    QGraphicsScene scene(plotArea);
    Plot* plot = buildPlot(spec, look);
    scene.addItem(plot);
    plot->setGeometry(plotArea);

    QImage image(qRound(width * scale), qRound(height * scale), QImage::Format_RGB32);
    image.fill(look.colors.base);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(scale, scale);
    painter.setPen(look.colors.text);
    painter.setFont(titleFont);
    painter.drawText(QRectF(margin, margin, width - 2 * margin, titleHeight), Qt::AlignLeft | Qt::AlignTop, spec.title);
    scene.render(&painter, plotArea.translated(margin, margin + titleHeight), plotArea);
    painter.setFont(look.font);
    painter.setPen(look.colors.muted);
    painter.drawText(QRectF(margin, height - margin - captionArea.height(), width - 2 * margin, captionArea.height()),
                     Qt::AlignLeft | Qt::TextWordWrap, caption);
    painter.end();
    image.setDotsPerMeterX(image.dotsPerMeterX() * scale);
    image.setDotsPerMeterY(image.dotsPerMeterY() * scale);
    return image;
}

QByteArray chartCsv(const ChartSpec& spec) {
    if (spec.isMap()) {
        return mapCsv(spec);
    }
    std::vector<QStringList> rows{{QStringLiteral("series"), columnName(spec.x), columnName(spec.y),
                                   spec.errorMeaning.isEmpty() ? QStringLiteral("error") : spec.errorMeaning,
                                   QStringLiteral("note")}};
    for (const ChartSeries& series : spec.series) {
        for (const ChartPoint& point : series.points) {
            rows.push_back({series.name, cell(point.x), cell(point.y), cell(point.error), point.note});
        }
    }
    return tableText(rows, TableFormat::Csv).toUtf8();
}

}  // namespace kvist::ui
