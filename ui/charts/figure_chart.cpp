// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "engine/api/metric_catalog.h"
#include "experiments/number_text.h"
#include "ui/charts/chart_parts.h"

namespace kvist::ui {

using experiments::RunRecord;

namespace {

struct Figure {
    std::string metric;
    std::string error = {};
    bool isAgainstFull = false;  ///< a comparison with the full cache, which itself has none
};

/// What may be drawn over the budget, in the order in which it is offered; perplexity has a chart of its own.
const std::vector<Figure>& figures() {
    static const std::vector<Figure> list = {{"kl_mean", {}, true},
                                             {"kl_median", {}, true},
                                             {"kl_p99", {}, true},
                                             {"delta_p_rms", {}, true},
                                             {"same_top", {}, true},
                                             {"delta_nll", "delta_nll_stderr", true},
                                             {"perplexity_ratio", {}, true},
                                             {"retrieval_accuracy"},
                                             {"drift_equal_share", {}, true},
                                             {"drift_first_divergence", {}, true},
                                             {"policy_ms_per_step"},
                                             {"decode_ms_p90"},
                                             {"prefill_tok_s"},
                                             {"ttft_s"},
                                             {"kv_payload_peak_bytes"},
                                             {"kv_metadata_bytes"},
                                             {"policy_state_bytes"},
                                             {"kv_read_bytes_per_step"},
                                             {"kv_allocated_bytes"},
                                             {"process_peak_bytes"},
                                             {"seconds"}};
    return list;
}

bool isMeasured(const Figure& figure, const RunList& runs) {
    return std::any_of(runs.begin(), runs.end(), [&](const RunRecord* run) {
        return run->state == experiments::RunState::Finished && std::isfinite(run->metric(figure.metric)) &&
               !(figure.isAgainstFull && run->isBaseline());
    });
}

QString number(double value) {
    return QString::fromStdString(experiments::numberText(value, 3));
}

QString noteOf(const RunRecord& run, const Figure& figure) {
    QStringList lines;
    if (const QString parameters = parametersText(run); !parameters.isEmpty()) {
        lines << parameters;
    }
    if (figure.metric == "retrieval_accuracy") {
        lines << chartText("95 % interval: %1 to %2")
                     .arg(number(run.metric("retrieval_accuracy_low")), number(run.metric("retrieval_accuracy_high")));
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

ChartSpec figureChart(const ChartInput& input) {
    ChartSpec spec;
    spec.id = QStringLiteral("figure_vs_budget");
    spec.title = chartText("More figures vs budget");
    spec.tab = chartText("More figures");
    spec.x = {chartText("Budget"), chartText("entries per head")};
    spec.emptyText = chartText("Finished runs give a choice of figures: divergence, retrieval, drift, bytes, times");
    for (const Figure& figure : figures()) {
        if (isMeasured(figure, input.runs)) {
            spec.choices.push_back(
                {QString::fromStdString(figure.metric), QString::fromStdString(metricInfo(figure.metric).title)});
        }
    }
    if (spec.choices.empty()) {
        return spec;
    }
    spec.chosen = shownChoice(spec, input);
    const auto figure = std::find_if(figures().begin(), figures().end(),
                                     [&](const Figure& one) { return one.metric == spec.chosen.toStdString(); });
    const MetricInfo& info = metricInfo(figure->metric);
    spec.title = chartText("%1 vs budget").arg(QString::fromStdString(info.title));
    spec.y = {QString::fromStdString(info.title), QString::fromStdString(info.unit)};
    if (info.unit == "B") {
        spec.y.unit.clear();
        spec.y.format = AxisFormat::Bytes;
    }
    spec.errorMeaning = figure->error.empty() ? QString() : chartText("± standard error");

    RunList compared = input.runs;
    std::erase_if(compared, [&](const RunRecord* run) { return figure->isAgainstFull && run->isBaseline(); });
    // Facts at several depths and lengths of a text are one figure.
    const bool isRetrieval = figure->metric == "retrieval_accuracy";
    const auto groups =
        groupedRuns(compared, figure->metric, {.budget = true, .context = isRetrieval, .place = isRetrieval});
    drawOverBudget(spec, groups, figureNamed(figure->metric), figureNamed(figure->error),
                   [figure](const RunRecord& run) { return noteOf(run, *figure); });
    spec.y.scale = scaleFor(leastY(spec), mostY(spec), kWideQuality);
    spec.y.fromZero = spec.y.scale == AxisScale::Linear && leastY(spec) >= 0;
    spec.caption = captionOf(runsOf(groups));
    return spec;
}

}  // namespace kvist::ui
