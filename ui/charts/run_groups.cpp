// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/run_groups.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <set>

#include "engine/api/policy_catalog.h"

namespace kvist::ui {

using experiments::RunRecord;

namespace {

/// One setting of a run as a name would say it.
using Settings = std::map<int, QString>;

enum Setting { kPolicy, kParameters, kBudget, kContext, kChunk, kModel, kDtype, kDevice, kThreads, kText };

QString tr(const char* text) {
    return QCoreApplication::translate("RunNames", text);
}

QString policyTitle(const std::string& id) {
    const auto& catalog = policyCatalog();
    const auto found =
        std::find_if(catalog.begin(), catalog.end(), [&](const PolicyInfo& one) { return one.id == id; });
    return QString::fromStdString(found == catalog.end() ? id : found->title);
}

int policyOrder(const std::string& id) {
    const auto& catalog = policyCatalog();
    const auto found =
        std::find_if(catalog.begin(), catalog.end(), [&](const PolicyInfo& one) { return one.id == id; });
    return static_cast<int>(found - catalog.begin());
}

Settings settingsOf(const RunRecord& run, AlongCurve along) {
    const RunConfig& config = run.config;
    Settings settings;
    settings[kPolicy] = policyTitle(config.policy);
    settings[kParameters] = parametersText(run);
    if (!along.budget && config.budget > 0) {
        settings[kBudget] = QString::number(config.budget);
    }
    if (!along.context) {
        settings[kContext] = config.depth > 0 ? tr("depth %1").arg(config.depth)
                                              : QStringLiteral("%1 + %2").arg(config.warm).arg(config.score);
    }
    settings[kChunk] = tr("chunk %1").arg(config.chunk);
    settings[kModel] = QString::fromStdString(run.modelName);
    settings[kDtype] = QString::fromStdString(run.dtype);
    settings[kDevice] = QString::fromStdString(run.device);
    settings[kThreads] = tr("%1 threads").arg(run.threads);
    if (!along.evaluation) {
        settings[kText] = QFileInfo(QString::fromStdString(config.text.file)).fileName();
    }
    return settings;
}

/// Text that is equal for runs of one curve.
std::string curveKey(const RunRecord& run, AlongCurve along) {
    const RunConfig& config = run.config;
    std::string key;
    const auto add = [&key](const std::string& part) { key += part + '\x1f'; };
    const auto addParameters = [&add](const ParameterMap& parameters) {
        for (const auto& [name, value] : parameters) {
            add(name + '=' + toText(value));
        }
    };
    add(run.modelFingerprint);
    add(run.dtype);
    add(run.device);
    add(std::to_string(run.threads));
    add(config.policy);
    addParameters(config.policyParameters);
    if (!along.evaluation) {
        add(config.evaluation);
        addParameters(config.evaluationParameters);
        add(run.textHash);
        add(std::to_string(static_cast<int>(config.text.segments)));
    }
    add(std::to_string(config.chunk));
    if (!along.budget) {
        add(std::to_string(config.budget));
    }
    if (!along.context) {
        add(std::to_string(config.warm) + '+' + std::to_string(config.score) + '@' + std::to_string(config.depth));
    }
    return key;
}

}  // namespace

QStringList namesOf(const RunList& runs, AlongCurve along) {
    std::vector<Settings> all;
    std::map<int, std::set<QString>> values;
    std::map<QString, std::set<QString>> parameters;
    for (const RunRecord* run : runs) {
        all.push_back(settingsOf(*run, along));
        for (const auto& [setting, text] : all.back()) {
            values[setting].insert(text);
        }
        parameters[all.back()[kPolicy]].insert(all.back()[kParameters]);
    }
    QStringList names;
    for (Settings& settings : all) {
        QString name = settings[kPolicy];
        for (const auto& [setting, text] : settings) {
            const bool differs = setting == kParameters ? parameters[settings[kPolicy]].size() > 1
                                 : setting == kBudget   ? true
                                                        : values[setting].size() > 1;
            if (setting == kPolicy || text.isEmpty() || !differs) {
                continue;
            }
            name += (setting == kBudget ? QStringLiteral(" ") : QStringLiteral(", ")) + text;
        }
        names << name;
    }
    return names;
}

std::vector<RunGroup> groupedRuns(const RunList& runs, const std::string& metric, AlongCurve along) {
    std::map<std::string, RunGroup> byKey;
    for (const RunRecord* run : runs) {
        if (run->state == experiments::RunState::Finished && std::isfinite(run->metric(metric))) {
            byKey[curveKey(*run, along)].runs.push_back(run);
        }
    }
    std::vector<RunGroup> groups;
    for (auto& [key, group] : byKey) {
        groups.push_back(std::move(group));
    }
    std::stable_sort(groups.begin(), groups.end(), [](const RunGroup& a, const RunGroup& b) {
        const auto order = [](const RunRecord& run) {
            return std::make_tuple(policyOrder(run.config.policy), run.config.budget, run.id);
        };
        return order(a.first()) < order(b.first());
    });
    RunList representatives;
    std::map<std::string, int> variants;
    for (RunGroup& group : groups) {
        representatives.push_back(group.runs.front());
        group.style = styleOfPolicy(group.first().config.policy, variants[group.first().config.policy]++);
    }
    const QStringList names = namesOf(representatives, along);
    AlongCurve withoutBudget = along;
    withoutBudget.budget = true;
    const QStringList common = namesOf(representatives, withoutBudget);
    for (std::size_t index = 0; index < groups.size(); ++index) {
        groups[index].name = names[static_cast<qsizetype>(index)];
        groups[index].common = common[static_cast<qsizetype>(index)];
        if (!along.budget && groups[index].first().config.budget > 0) {
            groups[index].budget = QString::number(groups[index].first().config.budget);
        }
    }
    return groups;
}

std::vector<ChartPoint> pointsOf(const RunGroup& group, const std::function<double(const RunRecord&)>& x,
                                 const std::string& metric, const std::string& errorMetric,
                                 const std::function<QString(const RunRecord&)>& note) {
    std::map<double, RunList> byX;
    for (const RunRecord* run : group.runs) {
        byX[x(*run)].push_back(run);
    }
    std::vector<ChartPoint> points;
    for (const auto& [position, runs] : byX) {
        ChartPoint point{position, 0, kNotMeasured, note(*runs.back())};
        double error = 0;
        for (const RunRecord* run : runs) {
            point.y += run->metric(metric) / static_cast<double>(runs.size());
            error += (errorMetric.empty() ? kNotMeasured : run->metric(errorMetric)) / static_cast<double>(runs.size());
        }
        point.error = error;
        if (runs.size() > 1) {
            point.note += QLatin1Char('\n') + tr("mean of %1 repeats").arg(runs.size());
        }
        points.push_back(point);
    }
    return points;
}

const RunRecord* qualityBeside(const RunRecord& run, const RunList& runs) {
    const RunRecord* best = nullptr;
    for (const RunRecord* other : runs) {
        const bool same = other->state == experiments::RunState::Finished &&
                          other->modelFingerprint == run.modelFingerprint &&
                          other->config.policy == run.config.policy &&
                          other->config.policyParameters == run.config.policyParameters &&
                          other->config.budget == run.config.budget && std::isfinite(other->metric("perplexity"));
        if (same && (best == nullptr || other->dtype == run.dtype)) {
            best = other;
        }
    }
    return best;
}

QString perplexityText(const RunRecord* run) {
    if (run == nullptr || !std::isfinite(run->metric("perplexity"))) {
        return tr("not measured");
    }
    const QString value = QString::number(run->metric("perplexity"), 'f', 2);
    const double error = run->metric("perplexity_stderr");
    return std::isfinite(error) ? QStringLiteral("%1 ± %2").arg(value, QString::number(error, 'f', 2)) : value;
}

QString runTitle(const RunRecord& run) {
    const QStringList names = namesOf({&run});
    const RunConfig& config = run.config;
    const QString context = config.depth > 0 ? tr("depth %1").arg(config.depth)
                                             : QStringLiteral("%1 + %2").arg(config.warm).arg(config.score);
    return QStringLiteral("%1 · %2 · %3").arg(QString::fromStdString(config.evaluation), names.front(), context);
}

QString parametersText(const RunRecord& run) {
    QStringList parts;
    for (const auto& [name, value] : run.config.policyParameters) {
        parts << QStringLiteral("%1 %2").arg(QString::fromStdString(name), QString::fromStdString(toText(value)));
    }
    return parts.join(QStringLiteral(", "));
}

}  // namespace kvist::ui
