// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/charts/axis_ticks.h"
#include "ui/charts/chart_parts.h"
#include "ui/charts/standard_charts.h"

namespace kvist::ui {

using experiments::RunRecord;

namespace {

const char* const kPayload = "kv_payload_bytes";
const char* const kMetadata = "kv_metadata_bytes";

QString noteOf(const RunRecord& run, const ChartAxis& bytes) {
    QStringList lines;
    const std::pair<const char*, const char*> parts[] = {
        {"kv_payload_peak_bytes", QT_TRANSLATE_NOOP("Charts", "peak payload: %1")},
        {"kv_metadata_bytes", QT_TRANSLATE_NOOP("Charts", "metadata: %1")},
        {"policy_state_bytes", QT_TRANSLATE_NOOP("Charts", "policy state: %1")},
        {"kv_allocated_bytes", QT_TRANSLATE_NOOP("Charts", "allocated: %1")}};
    for (const auto& [metric, text] : parts) {
        if (std::isfinite(run.metric(metric))) {
            lines << chartText(text).arg(formatValue(bytes, run.metric(metric), 4));
        }
    }
    return lines.join(QLatin1Char('\n'));
}

/// Bytes of a run's cache over the tokens seen: the payload, and of codes their scales and positions as well. Empty
/// where that was not recorded.
Curve bytesOf(const RunRecord& run, const ChartInput& input) {
    const auto curves = input.curves.find(run.id);
    if (curves == input.curves.end() || curves->second.count(kPayload) == 0) {
        return {};
    }
    Curve bytes = curves->second.at(kPayload);
    if (run.isCoded()) {
        const auto metadata = curves->second.find(kMetadata);
        if (metadata == curves->second.end() || metadata->second.x != bytes.x) {
            return {};
        }
        std::transform(bytes.y.begin(), bytes.y.end(), metadata->second.y.begin(), bytes.y.begin(), std::plus<>());
    }
    return bytes;
}

/// The same at the end of the run.
double bytesAtEnd(const RunRecord& run) {
    const double metadata = run.metric(kMetadata);
    return run.metric(kPayload) + (run.isCoded() && std::isfinite(metadata) ? metadata : 0);
}

/// The longest curve of the group, then what runs at greater depths hold.
std::vector<ChartPoint> memoryPoints(const RunGroup& group, const ChartInput& input, const ChartAxis& bytes) {
    std::vector<ChartPoint> points;
    for (const RunRecord* run : group.runs) {
        const Curve curve = bytesOf(*run, input);
        if (curve.x.empty() || (!points.empty() && curve.x.back() <= points.back().x)) {
            continue;
        }
        points.clear();
        for (std::size_t index = 0; index < curve.x.size(); ++index) {
            points.push_back({curve.x[index], curve.y[index], kNotMeasured, noteOf(*run, bytes)});
        }
    }
    RunGroup deeper = group;
    const double reached = points.empty() ? 0 : points.back().x;
    std::erase_if(deeper.runs, [&](const RunRecord* run) { return static_cast<double>(run->context()) <= reached; });
    const auto further = pointsOf(
        deeper, [](const RunRecord& run) { return static_cast<double>(run.context()); }, bytesAtEnd, figureNamed({}),
        [&](const RunRecord& run) { return noteOf(run, bytes); });
    points.insert(points.end(), further.begin(), further.end());
    return points;
}

}  // namespace

ChartSpec memoryChart(const ChartInput& input) {
    constexpr std::size_t kMostMarkers = 16;
    constexpr double kLogarithmicRatio = 12;
    ChartSpec spec;
    spec.id = QStringLiteral("kv_memory_vs_context");
    spec.title = chartText("KV memory vs context");
    spec.tab = chartText("KV memory");
    spec.x = {chartText("Context"), chartText("tokens seen"), AxisScale::Linear};
    spec.y = {chartText("KV payload"), QString(), AxisScale::Linear, AxisFormat::Bytes, true};
    spec.emptyText = chartText("Each finished run adds the bytes that its cache holds");

    // Quality and speed runs of the same cache share a curve: bytes do not depend on what else is measured.
    // Answers end when everything is found, so that how much a retrieval run saw is not known.
    RunList counted = input.runs;
    std::erase_if(counted, [](const RunRecord* run) { return run->config.evaluation == "retrieval"; });
    const auto [groups, all] = groupsToDraw(counted, input, kPayload, {.context = true, .evaluation = true});
    for (const RunGroup& group : groups) {
        ChartSeries series{group.name, SeriesKind::Line, group.style, memoryPoints(group, input, spec.y)};
        series.group = group.common;
        series.details = {group.budget};
        if (series.points.size() <= kMostMarkers) {
            series.kind = SeriesKind::Measured;
        }
        spec.series.push_back(std::move(series));
    }
    // Pruned caches would lie on the axis beside a full one that is many times larger.
    double leastEnd = kNotMeasured;
    double mostEnd = kNotMeasured;
    for (const ChartSeries& series : spec.series) {
        leastEnd = std::fmin(leastEnd, series.points.back().y);
        mostEnd = std::fmax(mostEnd, series.points.back().y);
    }
    spec.y.scale = scaleFor(leastEnd, mostEnd, kLogarithmicRatio);
    spec.x.scale = spec.y.scale;
    QStringList notes;
    if (groups.size() < all) {
        notes << curveLimitNote(groups.size(), all);
    }
    if (std::any_of(groups.begin(), groups.end(), [](const RunGroup& one) { return one.first().isCoded(); })) {
        notes << chartText("codes with their scales and positions");
    }
    spec.note = notes.join(QStringLiteral(" · "));
    spec.caption = captionOf(runsOf(groups));
    return spec;
}

}  // namespace kvist::ui
