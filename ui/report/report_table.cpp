// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_table.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/api/metric_catalog.h"
#include "ui/charts/store_text.h"
#include "ui/report/run_text.h"

namespace kvist::ui {

using experiments::RunRecord;

namespace {

struct Column {
    QString title;
    bool isNumber;
    std::vector<QString> cells = {};
};

QString tr(const char* text) {
    return QCoreApplication::translate("Report", text);
}

const std::vector<std::string>& figuresOf(ReportTable kind) {
    static const std::vector<std::string> quality = {
        "perplexity", "delta_nll",          "delta_nll_stderr_block", "kl_mean",
        "same_top",   "retrieval_accuracy", "drift_equal_share",      "drift_first_divergence"};
    static const std::vector<std::string> memory = {"kv_payload_peak_bytes", "kv_metadata_bytes", "policy_state_bytes",
                                                    "kv_allocated_bytes", "kv_read_bytes_per_step"};
    static const std::vector<std::string> speed = {
        "decode_tok_s_median", "decode_tok_s_mean", "decode_ms_p90", "policy_ms_per_step", "ttft_s", "roofline_tok_s"};
    switch (kind) {
        case ReportTable::Quality:
            return quality;
        case ReportTable::Memory:
            return memory;
        case ReportTable::Speed:
            break;
    }
    return speed;
}

/// Bytes are measured by every run; those of speed runs stand in the speed's own cache, filled at random.
bool belongsTo(ReportTable kind, const RunRecord& run) {
    const bool isSpeed = std::isfinite(run.metric("decode_tok_s_median"));
    const auto& figures = figuresOf(kind);
    return run.state == experiments::RunState::Finished && isSpeed == (kind == ReportTable::Speed) &&
           std::any_of(figures.begin(), figures.end(),
                       [&run](const std::string& name) { return std::isfinite(run.metric(name)); });
}

}  // namespace

QString reportTable(ReportTable kind, const RunList& runs) {
    RunList rows = runs;
    std::erase_if(rows, [kind](const RunRecord* run) { return !belongsTo(kind, *run); });
    std::vector<Column> columns;
    const auto add = [&](const QString& title, bool isNumber, const std::function<QString(const RunRecord&)>& text) {
        Column column{title, isNumber};
        for (const RunRecord* run : rows) {
            column.cells.push_back(text(*run));
        }
        if (std::any_of(column.cells.begin(), column.cells.end(),
                        [](const QString& cell) { return !cell.isEmpty(); })) {
            columns.push_back(std::move(column));
        }
    };
    add(tr("Policy"), false, [](const RunRecord& run) { return methodText(run.config); });
    add(tr("Parameters"), false, parametersText);
    add(tr("Budget"), true,
        [](const RunRecord& run) { return run.config.budget > 0 ? QString::number(run.config.budget) : QString(); });
    add(tr("Context"), true, contextText);
    add(tr("Measured"), false, evaluationText);
    for (const std::string& name : figuresOf(kind)) {
        const bool isComparison = name.starts_with("kl") || name == "same_top" || name.starts_with("delta");
        add(QString::fromStdString(metricInfo(name).title), true,
            [&](const RunRecord& run) { return isComparison && run.isBaseline() ? QString() : figureText(run, name); });
    }
    if (kind == ReportTable::Speed) {
        add(tr("Perplexity beside it"), true,
            [&](const RunRecord& run) { return perplexityText(qualityBeside(run, runs)); });
    }
    if (rows.empty()) {
        return {};
    }
    QString html = QStringLiteral("<table><thead><tr>");
    const auto addCell = [&html](const char* tag, const Column& column, const QString& text) {
        html += QStringLiteral("<%1%2>%3</%1>")
                    .arg(QLatin1String(tag), column.isNumber ? QStringLiteral(" class=\"number\"") : QString(),
                         text.toHtmlEscaped());
    };
    for (const Column& column : columns) {
        addCell("th", column, column.title);
    }
    html += QStringLiteral("</tr></thead><tbody>\n");
    for (std::size_t row = 0; row < rows.size(); ++row) {
        html += QStringLiteral("<tr>");
        for (const Column& column : columns) {
            addCell("td", column, column.cells[row]);
        }
        html += QStringLiteral("</tr>\n");
    }
    return html + QStringLiteral("</tbody></table>\n");
}

}  // namespace kvist::ui
