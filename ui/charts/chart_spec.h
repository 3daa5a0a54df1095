// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <limits>
#include <vector>

#include "ui/style/series_style.h"

namespace kvist::ui {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

enum class AxisScale { Linear, Logarithmic };

/// How the numbers of an axis are written: as they are, or as bytes in a binary unit.
enum class AxisFormat { Plain, Bytes };

struct ChartAxis {
    QString title;
    QString unit;  ///< "tokens", "tok/s"; the axis chooses KiB, MiB … itself for AxisFormat::Bytes
    AxisScale scale = AxisScale::Linear;
    AxisFormat format = AxisFormat::Plain;
    bool fromZero = false;  ///< the shown range starts at 0

    bool operator==(const ChartAxis&) const = default;
};

/// One value of a chart in the stored unit. A NaN y leaves a gap in the line.
struct ChartPoint {
    double x = 0;
    double y = kNotMeasured;
    double error = kNotMeasured;  ///< half length of the error bar
    QString note = {};            ///< the run's parameters, or what belongs beside the number
    double value = kNotMeasured;  ///< of a cell at (x, y): a share from 0 to 1, shown as a colour

    bool operator==(const ChartPoint& other) const;
};

enum class SeriesKind {
    Measured,  ///< markers, error bars and a line
    Line,      ///< a curve without markers
    Roofline,  ///< limit of the machine
    Cells,     ///< a panel of a map: no lines, but a coloured cell for each point
};

struct ChartSeries {
    QString name;
    SeriesKind kind = SeriesKind::Measured;
    SeriesStyle style;
    std::vector<ChartPoint> points;  ///< by ascending x
    QString group = {};              ///< what curves of one policy have in common ("Window"); may be empty
    QStringList details = {};        ///< what tells them apart ("64"), for a legend that must be short

    bool operator==(const ChartSeries&) const = default;
};

/// One of several things that a chart can show in the same place.
struct ChartChoice {
    QString id;     ///< name of a metric or curve ("kl_mean")
    QString title;  ///< "KL to the full cache"

    bool operator==(const ChartChoice&) const = default;
};

/// Everything a chart shows, as a value. Screen, export and tests read the same one.
struct ChartSpec {
    QString id;     ///< "perplexity_vs_budget"
    QString title;  ///< "Perplexity vs budget"
    QString tab;    ///< one word or two for a tab ("Perplexity")
    ChartAxis x;
    ChartAxis y;
    ChartAxis value = {};  ///< what the colours of a map mean
    std::vector<ChartSeries> series;
    QString errorMeaning;                   ///< "± standard error", empty without error bars
    QString note;                           ///< what a reader must know (curves left out)
    QString emptyText;                      ///< shown while there is nothing to draw
    QStringList caption;                    ///< model, text, date and settings; part of exported pictures
    std::vector<ChartChoice> choices = {};  ///< empty where it always shows the same
    QString chosen = {};                    ///< id of the choice that is shown

    bool isEmpty() const;
    QString fileName() const;  ///< without suffix: "perplexity_vs_budget", "figure_vs_budget_kl_mean"
    bool isMap() const;        ///< its series are cells
    bool hasErrorBars() const;
    bool operator==(const ChartSpec&) const = default;
};

}  // namespace kvist::ui
