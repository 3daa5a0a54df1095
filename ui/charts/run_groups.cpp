// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/run_groups.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <set>

#include "engine/api/evaluation_catalog.h"
#include "engine/api/policy_catalog.h"
#include "ui/charts/store_text.h"

namespace kvist::ui {

using experiments::RunRecord;

namespace {

/// One setting of a run as a name would say it.
using Settings = std::map<int, QString>;

enum Setting {
    kPolicy,
    kBudget,
    kHeld,
    kParameters,
    kContext,
    kChunk,
    kModel,
    kDtype,
    kDevice,
    kThreads,
    kText,
    kEvaluation
};

QString tr(const char* text) {
    return QCoreApplication::translate("RunNames", text);
}

int policyOrder(const std::string& id) {
    const auto& catalog = policyCatalog();
    const auto found =
        std::find_if(catalog.begin(), catalog.end(), [&](const PolicyInfo& one) { return one.id == id; });
    return static_cast<int>(found - catalog.begin());
}

bool isPlace(const std::string& parameter) {
    return parameter == "length" || parameter == "depth";
}

/// A parameter that adds figures and changes none.
bool isAddition(const std::string& parameter) {
    return parameter == "divergence";
}

/// What the run says of its protocol where it is not the usual one; empty elsewhere.
std::string otherProtocol(const RunRecord& run) {
    const auto protocol = run.config.evaluationParameters.find("protocol");
    if (protocol == run.config.evaluationParameters.end()) {
        return {};
    }
    for (const ParameterSpec& spec : evaluationInfo(run.config.evaluation).parameters) {
        if (spec.name == "protocol" && spec.defaultValue == protocol->second) {
            return {};
        }
    }
    return toText(protocol->second);
}

/// What the evaluation does otherwise than by default, and does not show elsewhere.
QString otherEvaluation(const RunRecord& run, AlongCurve along) {
    QStringList parts;
    for (const ParameterSpec& spec : evaluationInfo(run.config.evaluation).parameters) {
        const auto value = run.config.evaluationParameters.find(spec.name);
        if (value == run.config.evaluationParameters.end() || value->second == spec.defaultValue ||
            isAddition(spec.name) || (along.place && isPlace(spec.name))) {
            continue;
        }
        const QString text = QString::fromStdString(toText(value->second));
        parts << (spec.type == ParameterType::Choice
                      ? text
                      : QStringLiteral("%1 %2").arg(QString::fromStdString(spec.name), text));
    }
    return parts.join(QStringLiteral(", "));
}

Settings settingsOf(const RunRecord& run, AlongCurve along) {
    const RunConfig& config = run.config;
    Settings settings;
    settings[kPolicy] = policyText(config);
    settings[kHeld] = storeText(config);
    if (!along.budget && config.budget > 0) {
        settings[kBudget] = QString::number(config.budget);
    }
    if (!along.context) {
        settings[kContext] = contextText(run);
    }
    settings[kChunk] = tr("chunk %1").arg(config.chunk);
    settings[kModel] = QString::fromStdString(run.modelName);
    settings[kDtype] = QString::fromStdString(run.dtype);
    settings[kDevice] = QString::fromStdString(run.device);
    settings[kThreads] = tr("%1 threads").arg(run.threads);
    if (!along.evaluation) {
        settings[kText] = QFileInfo(QString::fromStdString(config.text.file)).fileName();
        settings[kEvaluation] = otherEvaluation(run, along);
    } else {
        settings[kEvaluation] = QString::fromStdString(otherProtocol(run));
    }
    return settings;
}

/// What a mean is over: repeats, or runs that differ in what a curve leaves open.
QString meanText(const RunList& runs) {
    const bool areRepeats = std::all_of(runs.begin(), runs.end(), [&](const RunRecord* run) {
        return run->config.evaluationParameters == runs.front()->config.evaluationParameters;
    });
    return areRepeats ? tr("mean of %1 repeats").arg(runs.size()) : tr("mean of %1 runs").arg(runs.size());
}

/// The policy's parameters and those of its store.
std::vector<std::pair<QString, QString>> namedParameters(const RunRecord& run) {
    std::vector<std::pair<QString, QString>> named;
    for (const auto& [name, value] : run.config.policyParameters) {
        named.emplace_back(QString::fromStdString(name), QString::fromStdString(toText(value)));
    }
    for (const auto& [name, value] : run.config.storeParameters) {
        named.emplace_back(QString::fromStdString(run.config.store + ' ' + name),
                           QString::fromStdString(toText(value)));
    }
    return named;
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
    add(config.store);
    addParameters(config.storeParameters);
    if (!along.evaluation) {
        add(config.evaluation);
        ParameterMap parameters = config.evaluationParameters;
        if (along.place) {
            std::erase_if(parameters, [](const auto& one) { return isPlace(one.first); });
        }
        std::erase_if(parameters, [](const auto& one) { return isAddition(one.first); });
        addParameters(parameters);
        add(run.textHash);
        add(std::to_string(static_cast<int>(config.text.segments)));
        add(config.text.field);
    }
    add(otherProtocol(run));
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
    std::map<QString, std::map<QString, std::set<QString>>> parameters;  // by method, then by name
    const auto methodOf = [](Settings& settings) { return settings[kPolicy] + QLatin1Char('\n') + settings[kHeld]; };
    for (const RunRecord* run : runs) {
        all.push_back(settingsOf(*run, along));
        for (const auto& [setting, text] : all.back()) {
            values[setting].insert(text);
        }
        const QString method = methodOf(all.back());
        for (const auto& [name, value] : namedParameters(*run)) {
            parameters[method][name].insert(value);
        }
    }
    QStringList names;
    for (std::size_t index = 0; index < runs.size(); ++index) {
        Settings& settings = all[index];
        QStringList own;
        for (const auto& [name, value] : namedParameters(*runs[index])) {
            if (parameters[methodOf(settings)][name].size() > 1) {
                own << QStringLiteral("%1 %2").arg(name, value);
            }
        }
        settings[kParameters] = own.join(QStringLiteral(", "));
        QString name = settings[kPolicy];
        for (const auto& [setting, text] : settings) {
            const bool isAlwaysSaid = setting == kBudget || setting == kHeld || setting == kParameters;
            if (setting == kPolicy || text.isEmpty() || !(isAlwaysSaid || values[setting].size() > 1)) {
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
            return std::make_tuple(policyOrder(leadingPolicy(run.config)), run.config.budget, run.id);
        };
        return order(a.first()) < order(b.first());
    });
    RunList representatives;
    std::map<std::string, int> variants;
    for (RunGroup& group : groups) {
        representatives.push_back(group.runs.front());
        const std::string& policy = leadingPolicy(group.first().config);
        group.style = styleOfPolicy(policy, variants[policy]++);
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

RunNumber figureNamed(const std::string& metric) {
    return [metric](const RunRecord& run) { return run.metric(metric); };
}

std::vector<ChartPoint> pointsOf(const RunGroup& group, const RunNumber& x, const RunNumber& y, const RunNumber& error,
                                 const RunNote& note) {
    std::map<double, RunList> byX;
    for (const RunRecord* run : group.runs) {
        byX[x(*run)].push_back(run);
    }
    std::vector<ChartPoint> points;
    for (const auto& [position, runs] : byX) {
        ChartPoint point{position, 0, 0, note(*runs.back())};
        for (const RunRecord* run : runs) {
            point.y += y(*run) / static_cast<double>(runs.size());
            point.error += error(*run) / static_cast<double>(runs.size());
        }
        if (runs.size() > 1) {
            point.note += (point.note.isEmpty() ? QString() : QStringLiteral("\n")) + meanText(runs);
        }
        points.push_back(point);
    }
    return points;
}

const RunRecord* qualityBeside(const RunRecord& run, const RunList& runs) {
    const RunRecord* best = nullptr;
    for (const RunRecord* other : runs) {
        const bool same =
            other->state == experiments::RunState::Finished && other->modelFingerprint == run.modelFingerprint &&
            other->config.policy == run.config.policy &&
            other->config.policyParameters == run.config.policyParameters && other->config.store == run.config.store &&
            other->config.storeParameters == run.config.storeParameters && other->config.budget == run.config.budget &&
            std::isfinite(other->metric("perplexity"));
        // Speed is measured while all is streamed.
        const auto rank = [&run](const RunRecord& one) {
            return std::pair(one.dtype == run.dtype, otherProtocol(one).empty());
        };
        if (same && (best == nullptr || rank(*other) >= rank(*best))) {
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
    return QStringLiteral("%1 · %2 · %3")
        .arg(QString::fromStdString(run.config.evaluation), names.front(), contextText(run));
}

QString contextText(const RunRecord& run) {
    const RunConfig& config = run.config;
    if (config.depth > 0) {
        return tr("depth %1").arg(config.depth);
    }
    return config.warm + config.score == 0
               ? QString::number(run.context())
               : QStringLiteral("%1 + %2").arg(config.warm).arg(run.context() - config.warm);
}

QString evaluationText(const RunRecord& run) {
    const ParameterMap& parameters = run.config.evaluationParameters;
    QStringList parts{QString::fromStdString(evaluationInfo(run.config.evaluation).title)};
    if (const auto task = parameters.find("task"); task != parameters.end()) {
        parts << QString::fromStdString(toText(task->second));
    }
    if (const auto depth = parameters.find("depth"); depth != parameters.end()) {
        const double percent = std::get<double>(depth->second);
        parts << (percent < 0 ? tr("any depth") : tr("%1 %").arg(percent));
    }
    if (const std::string protocol = otherProtocol(run); !protocol.empty()) {
        parts << QString::fromStdString(protocol);
    }
    return parts.join(QStringLiteral(", "));
}

QString parametersText(const RunRecord& run) {
    QStringList parts;
    for (const auto& [name, value] : namedParameters(run)) {
        parts << QStringLiteral("%1 %2").arg(name, value);
    }
    return parts.join(QStringLiteral(", "));
}

}  // namespace kvist::ui
