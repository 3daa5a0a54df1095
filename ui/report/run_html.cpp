// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QSet>
#include <map>

#include "ui/report/run_text.h"

namespace kvist::ui {

namespace {

QString cell(const QString& text, const QString& style = {}) {
    return QStringLiteral("<td style=\"%1\">%2</td>").arg(style, text.toHtmlEscaped());
}

QString headingRow(const QString& section, std::size_t columns, const QString& muted) {
    return QStringLiteral("<tr><td colspan=\"%1\" style=\"color:%2; font-weight:600; padding-top:8px\">%3</td></tr>")
        .arg(columns)
        .arg(muted, section.toHtmlEscaped());
}

}  // namespace

QString factsHtml(const std::vector<RunFact>& facts, const QString& muted) {
    QString html = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\" width=\"100%\">");
    QString section;
    for (const RunFact& fact : facts) {
        if (fact.section != section) {
            section = fact.section;
            html += headingRow(section, 2, muted);
        }
        html += QStringLiteral("<tr>%1%2</tr>")
                    .arg(cell(fact.name, QStringLiteral("color:%1; padding-right:8px").arg(muted)), cell(fact.value));
    }
    return html + QStringLiteral("</table>");
}

QString comparisonHtml(const RunList& compared, const RunList& runs, const QString& muted) {
    std::vector<std::pair<QString, QString>> order;
    std::map<std::pair<QString, QString>, std::map<std::size_t, QString>> values;
    for (std::size_t index = 0; index < compared.size(); ++index) {
        for (const RunFact& fact : factsOf(*compared[index], runs)) {
            const auto key = std::make_pair(fact.section, fact.name);
            if (values.find(key) == values.end()) {
                order.push_back(key);
            }
            values[key][index] = fact.value;
        }
    }
    QString html = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\">");
    QString section;
    for (const auto& key : order) {
        QSet<QString> distinct;
        for (std::size_t index = 0; index < compared.size(); ++index) {
            distinct.insert(values[key][index]);
        }
        if (distinct.size() < 2) {
            continue;
        }
        if (key.first != section) {
            section = key.first;
            html += headingRow(section, compared.size() + 1, muted);
        }
        html += QStringLiteral("<tr>") + cell(key.second, QStringLiteral("color:%1; padding-right:8px").arg(muted));
        for (std::size_t index = 0; index < compared.size(); ++index) {
            html += cell(values[key][index], QStringLiteral("padding-right:8px; white-space:pre"));
        }
        html += QStringLiteral("</tr>");
    }
    return html + QStringLiteral("</table>");
}

}  // namespace kvist::ui
