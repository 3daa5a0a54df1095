// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/written_text.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace kvist::ui {

namespace {

constexpr qsizetype kMostAnswers = 100;

QString tr(const char* text) {
    return QCoreApplication::translate("WrittenText", text);
}

QString colored(const QString& text, const QString& color) {
    const QString escaped = text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"));
    return color.isEmpty() ? escaped : QStringLiteral("<span style=\"color:%1\">%2</span>").arg(color, escaped);
}

QString row(const QStringList& cells) {
    QString html = QStringLiteral("<tr>");
    for (const QString& cell : cells) {
        html += QStringLiteral("<td style=\"padding-right:8px\">%1</td>").arg(cell);
    }
    return html + QStringLiteral("</tr>");
}

QString table(const QString& title, const QStringList& headings, const QStringList& rows, const QString& muted) {
    QStringList heads;
    for (const QString& heading : headings) {
        heads << colored(heading, muted);
    }
    return QStringLiteral(
               "<p style=\"color:%1; font-weight:600\">%2</p><table cellspacing=\"0\" cellpadding=\"2\" "
               "width=\"100%\">%3%4</table>")
        .arg(muted, title.toHtmlEscaped(), row(heads), rows.join(QString()));
}

QString textOf(const std::map<std::string, std::string>& texts, const char* name) {
    const auto found = texts.find(name);
    return found == texts.end() ? QString() : QString::fromStdString(found->second);
}

QString continuations(const QString& own, const QString& full, const QString& muted) {
    const auto different = std::mismatch(own.begin(), own.end(), full.begin(), full.end());
    const qsizetype shared = different.first - own.begin();
    const auto cell = [&](const QString& text) {
        return colored(text.left(shared), muted) + colored(text.mid(shared), QString());
    };
    return table(tr("Continuation"), {tr("under the policy"), tr("with the full cache")},
                 {row({cell(own), cell(full)})}, muted);
}

QString answers(const QJsonArray& list, const QString& muted) {
    QStringList rows;
    for (const QJsonValue& value : list) {
        const QJsonObject one = value.toObject();
        QStringList expected;
        for (const QJsonValue& text : one.value(QStringLiteral("expected")).toArray()) {
            expected << text.toString();
        }
        const int found = one.value(QStringLiteral("found")).toInt();
        rows << row({colored(tr("%1 of %2").arg(found).arg(expected.size()), muted),
                     colored(expected.join(QStringLiteral(", ")), QString()),
                     colored(one.value(QStringLiteral("answer")).toString().trimmed(), QString())});
        if (rows.size() == kMostAnswers) {
            break;
        }
    }
    const QString title =
        rows.size() < list.size() ? tr("The first %1 of %2 answers").arg(rows.size()).arg(list.size()) : tr("Answers");
    return table(title, {tr("found"), tr("expected"), tr("answer")}, rows, muted);
}

}  // namespace

QString writtenHtml(const std::map<std::string, std::string>& texts, const QString& muted) {
    QString html;
    if (texts.contains("continuation")) {
        html += continuations(textOf(texts, "continuation"), textOf(texts, "continuation_full"), muted);
    }
    if (texts.contains("answers")) {
        html += answers(QJsonDocument::fromJson(textOf(texts, "answers").toUtf8()).array(), muted);
    }
    return html;
}

}  // namespace kvist::ui
