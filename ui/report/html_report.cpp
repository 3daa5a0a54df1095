// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/html_report.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDate>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "ui/charts/chart_export.h"
#include "ui/charts/standard_charts.h"
#include "ui/charts/store_text.h"
#include "ui/report/report_table.h"
#include "ui/report/run_text.h"

namespace kvist::ui {

using experiments::RunRecord;
using experiments::RunState;

namespace {

const auto kStyle = QStringLiteral(
    "body{font:15px/1.5 system-ui,sans-serif;color:#1F2328;max-width:64em;margin:2em auto;padding:0 1em}"
    "h1{font-size:1.6em}h2{font-size:1.2em;margin-top:2em}p.muted,figcaption{color:#656D76}"
    "div.wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px}"
    "th,td{text-align:left;padding:.25em .75em;border-bottom:1px solid #D0D7DE;white-space:nowrap}"
    ".number{text-align:right;font-variant-numeric:tabular-nums}figure{margin:1.5em 0}img{max-width:100%}"
    "pre{background:#F6F8FA;padding:1em;overflow-x:auto;font-size:12px}");

QString tr(const char* text) {
    return QCoreApplication::translate("Report", text);
}

QString element(const char* tag, const QString& text) {
    return QStringLiteral("<%1>%2</%1>\n").arg(QLatin1String(tag), text.toHtmlEscaped());
}

QString titleOf(const RunList& runs) {
    QStringList names;
    for (const RunRecord* run : runs) {
        const QString name = QString::fromStdString(run->sweep);
        if (!name.isEmpty() && !names.contains(name)) {
            names << name;
        }
    }
    return names.isEmpty() ? tr("Results") : names.join(QStringLiteral(", "));
}

QString countText(const RunList& runs) {
    const auto count = [&](RunState state) {
        return std::count_if(runs.begin(), runs.end(), [state](const RunRecord* run) { return run->state == state; });
    };
    QString text = tr("%1 runs, %2 of them finished").arg(runs.size()).arg(count(RunState::Finished));
    if (const auto failed = count(RunState::Failed); failed > 0) {
        text += tr(", %1 failed").arg(failed);
    }
    return text + QLatin1Char('.');
}

/// What the perplexities say at each budget of one context: the best policy and what it loses against the full cache.
QString bestText(const RunList& runs) {
    using Place = std::tuple<std::string, std::string, QString, std::int64_t>;
    std::map<Place, RunList> byBudget;
    for (const RunRecord* run : runs) {
        if (run->state == RunState::Finished && std::isfinite(run->metric("delta_nll")) && run->config.budget > 0) {
            byBudget[{run->modelName + ' ' + run->dtype, run->textHash,
                      evaluationText(*run) + QStringLiteral(", ") + contextText(*run), run->config.budget}]
                .push_back(run);
        }
    }
    QString items;
    for (const auto& [place, candidates] : byBudget) {
        const RunRecord* best = *std::min_element(
            candidates.begin(), candidates.end(),
            [](const RunRecord* a, const RunRecord* b) { return a->metric("delta_nll") < b->metric("delta_nll"); });
        items += element(
            "li", tr("%1, %2, budget %3: %4 loses least of %7 runs: ΔNLL %5, perplexity %6.")
                      .arg(QString::fromStdString(std::get<0>(place)), std::get<2>(place))
                      .arg(std::get<3>(place))
                      .arg(methodText(best->config), figureText(*best, "delta_nll"), figureText(*best, "perplexity"))
                      .arg(candidates.size()));
    }
    return items.isEmpty() ? QString() : QStringLiteral("<ul>\n%1</ul>\n").arg(items);
}

QString picture(const ChartSpec& spec) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    chartImage(spec, 2).save(&buffer, "PNG");
    return QStringLiteral("<figure><img alt=\"%1\" src=\"data:image/png;base64,%2\"></figure>\n")
        .arg(spec.title.toHtmlEscaped(), QString::fromLatin1(bytes.toBase64()));
}

QString failures(const RunList& runs) {
    QString items;
    for (const RunRecord* run : runs) {
        if (run->state == RunState::Failed) {
            items += element("li", tr("%1: %2").arg(runTitle(*run), QString::fromStdString(run->errorMessage)));
        }
    }
    return items.isEmpty() ? QString() : element("h2", tr("Failed")) + QStringLiteral("<ul>\n%1</ul>\n").arg(items);
}

QString circumstances(const RunList& runs) {
    QStringList lines = captionOf(runs);
    std::set<std::string> versions;
    for (const RunRecord* run : runs) {
        if (!run->programVersion.empty()) {
            versions.insert("Kvist " + run->programVersion + ", libtorch " + run->libtorchVersion);
        }
    }
    for (const std::string& version : versions) {
        lines << QString::fromStdString(version);
    }
    QString items;
    for (const QString& line : lines) {
        items += element("li", line);
    }
    return items.isEmpty() ? QString() : QStringLiteral("<ul>\n%1</ul>\n").arg(items);
}

QString repetitions(const RunList& runs) {
    QString html;
    for (const RunRecord* run : runs) {
        if (run->state == RunState::Finished) {
            html += QStringLiteral("<details><summary>%1</summary><pre>%2</pre></details>\n")
                        .arg(runTitle(*run).toHtmlEscaped(), repeatCommand(*run).toHtmlEscaped());
        }
    }
    return html;
}

}  // namespace

QString htmlReport(const std::vector<RunRecord>& records, const std::vector<ChartSpec>& charts) {
    RunList runs;
    for (const RunRecord& record : records) {
        runs.push_back(&record);
    }
    const QString title = titleOf(runs);
    QString html = QStringLiteral(
                       "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>%1</title>"
                       "<style>%2</style></head><body>\n")
                       .arg(title.toHtmlEscaped(), kStyle);
    html += element("h1", title) + element("p", countText(runs)) + bestText(runs);
    for (const auto& [kind, heading] : {std::pair(ReportTable::Quality, QT_TRANSLATE_NOOP("Report", "Quality")),
                                        std::pair(ReportTable::Memory, QT_TRANSLATE_NOOP("Report", "Memory")),
                                        std::pair(ReportTable::Speed, QT_TRANSLATE_NOOP("Report", "Speed"))}) {
        if (const QString table = reportTable(kind, runs); !table.isEmpty()) {
            html += element("h2", tr(heading)) + QStringLiteral("<div class=\"wide\">%1</div>\n").arg(table);
        }
    }
    html += failures(runs);
    QString pictures;
    for (const ChartSpec& spec : charts) {
        pictures += spec.isEmpty() ? QString() : picture(spec);
    }
    if (!pictures.isEmpty()) {
        html += element("h2", tr("Charts")) + pictures;
    }
    html += element("h2", tr("Circumstances")) + circumstances(runs);
    html += element("h2", tr("How to repeat")) + repetitions(runs);
    return html + QStringLiteral("</body></html>\n");
}

}  // namespace kvist::ui
