// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.h"

#include <QApplication>
#include <QBuffer>
#include <QGraphicsScene>
#include <QPainter>
#include <QSizeF>
#include <QSvgGenerator>
#include <cmath>

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

/// A chart as it is exported: in light colours, with its title above and its caption below.
class ChartPage {
public:
    explicit ChartPage(const ChartSpec& spec)
        : m_spec(spec),
          m_look{lightColors(), exportFont()},
          m_titleFont(m_look.font),
          m_metrics(m_look.font),
          m_margin(m_metrics.height()) {
        m_titleFont.setPointSizeF(m_look.font.pointSizeF() * 1.3);
        m_titleFont.setBold(true);
        const double line = m_metrics.height();
        const double titleHeight = QFontMetricsF(m_titleFont).height() + line / 2;
        const double width = kWidthInLines * line - 2 * m_margin;
        const QString caption = captionText();
        const double captionHeight =
            caption.isEmpty()
                ? 0
                : m_metrics.boundingRect(QRectF(0, 0, width, line * 20), Qt::AlignLeft | Qt::TextWordWrap, caption)
                      .height();
        m_title = QRectF(m_margin, m_margin, width, titleHeight);
        m_plot = QRectF(m_margin, m_title.bottom(), width, kPlotHeightInLines * line);
        m_caption = QRectF(m_margin, m_plot.bottom() + (caption.isEmpty() ? 0 : line / 2), width, captionHeight);
    }

    QSizeF size() const { return {m_plot.right() + m_margin, m_caption.bottom() + m_margin}; }

    void paint(QPainter& painter) const {
        const QRectF area(QPointF(), m_plot.size());
        QGraphicsScene scene(area);
        Plot* plot = buildPlot(m_spec, m_look);
        scene.addItem(plot);
        plot->setGeometry(area);
        painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
        painter.setPen(m_look.colors.text);
        painter.setFont(m_titleFont);
        painter.drawText(m_title, Qt::AlignLeft | Qt::AlignTop, m_spec.title);
        scene.render(&painter, m_plot, area);
        painter.setFont(m_look.font);
        painter.setPen(m_look.colors.muted);
        painter.drawText(m_caption, Qt::AlignLeft | Qt::TextWordWrap, captionText());
    }

private:
    QString captionText() const { return m_spec.caption.join(QStringLiteral(" · ")); }

    const ChartSpec& m_spec;
    const ChartLook m_look;
    QFont m_titleFont;
    const QFontMetricsF m_metrics;
    const double m_margin;
    QRectF m_title;
    QRectF m_plot;
    QRectF m_caption;
};

}  // namespace

QImage chartImage(const ChartSpec& spec, int scale) {
    const ChartPage page(spec);
    QImage image(qRound(page.size().width() * scale), qRound(page.size().height() * scale), QImage::Format_RGB32);
    image.fill(lightColors().base);
    QPainter painter(&image);
    painter.scale(scale, scale);
    page.paint(painter);
    painter.end();
    image.setDotsPerMeterX(image.dotsPerMeterX() * scale);
    image.setDotsPerMeterY(image.dotsPerMeterY() * scale);
    return image;
}

QByteArray chartSvg(const ChartSpec& spec) {
    const ChartPage page(spec);
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setTitle(spec.title);
    generator.setDescription(spec.caption.join(QStringLiteral(" · ")));
    generator.setSize(page.size().toSize());
    generator.setViewBox(QRectF(QPointF(), page.size()));
    QPainter painter(&generator);
    painter.fillRect(QRectF(QPointF(), page.size()), lightColors().base);
    page.paint(painter);
    painter.end();
    return buffer.data();
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
