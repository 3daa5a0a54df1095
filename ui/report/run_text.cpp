// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/run_text.h"

#include <QCoreApplication>
#include <QDir>
#include <algorithm>
#include <cmath>
#include <map>

#include "engine/api/evaluation_catalog.h"
#include "engine/api/metric_catalog.h"
#include "experiments/budget.h"
#include "experiments/number_text.h"
#include "experiments/sweep_file.h"
#include "ui/charts/store_text.h"
#include "ui/models/run_columns.h"

namespace kvist::ui {

using experiments::RunRecord;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("RunText", text);
}

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

QString figure(const MetricInfo& metric, double value, double error) {
    if (metric.unit == "B") {
        return text(experiments::bytesText(static_cast<std::int64_t>(value)));
    }
    QString number = text(experiments::numberText(value, 5));
    if (std::isfinite(error)) {
        number += QStringLiteral(" ± ") + text(experiments::numberText(error, 2));
    }
    return metric.unit.empty() ? number : number + QChar(0x00A0) + text(metric.unit);
}

/// The metric that is the uncertainty of another one is written beside it.
const std::map<std::string, std::string>& errorMetrics() {
    static const std::map<std::string, std::string> names{{"nll", "nll_stderr"},
                                                          {"perplexity", "perplexity_stderr"},
                                                          {"delta_nll", "delta_nll_stderr"},
                                                          {"decode_tok_s_mean", "decode_tok_s_sd"}};
    return names;
}

bool isErrorMetric(const std::string& name) {
    for (const auto& [metric, error] : errorMetrics()) {
        if (error == name) {
            return true;
        }
    }
    return false;
}

class FactList {
public:
    void begin(const QString& section) { m_section = section; }
    void add(const QString& name, const QString& value, const QString& help = {}) {
        if (!value.isEmpty()) {
            facts.push_back({m_section, name, value, help});
        }
    }
    std::vector<RunFact> facts;

private:
    QString m_section;
};

void addSettings(FactList& list, const RunRecord& run) {
    const RunConfig& config = run.config;
    list.begin(tr("Run"));
    list.add(tr("State"), stateText(run.state));
    list.add(tr("Reason"), text(run.errorMessage));
    for (const std::string& note : run.notes) {
        list.add(tr("Note"), text(note));
    }
    list.add(tr("Policy"), text(config.policy));
    for (const auto& [name, value] : config.policyParameters) {
        list.add(text(name), text(toText(value)));
    }
    list.add(tr("Held as"), storeText(config));
    for (const auto& [name, value] : config.storeParameters) {
        list.add(text(name), text(toText(value)));
    }
    if (config.budget > 0) {
        list.add(tr("Budget"), tr("%1 entries").arg(config.budget));
    }
    list.add(tr("Measured"), text(config.evaluation));
    if (config.depth > 0) {
        list.add(tr("Depth"), tr("%1 tokens").arg(config.depth));
    } else {
        list.add(tr("Context"), config.score > 0 ? tr("%1 warm + %2 scored").arg(config.warm).arg(config.score)
                                                 : tr("%1 tokens").arg(contextText(run)));
        list.add(tr("Text"), text(config.text.file).section(QLatin1Char('/'), -1));
    }
    for (const auto& [name, value] :
         withOptional(evaluationInfo(config.evaluation).parameters, config.evaluationParameters)) {
        list.add(text(name), text(toText(value)));
    }
    list.add(tr("Chunk"), tr("%1 tokens").arg(config.chunk));
    list.add(tr("Seed, repeat"), QStringLiteral("%1, %2").arg(config.seed).arg(config.repeat));
}

void addFigures(FactList& list, const RunRecord& run, const RunList& runs) {
    list.begin(tr("Figures"));
    const bool isSpeed = std::isfinite(run.metric("decode_tok_s_median"));
    for (const MetricInfo& metric : metricCatalog()) {
        const double value = run.metric(metric.name);
        if (!std::isfinite(value) || isErrorMetric(metric.name)) {
            continue;
        }
        list.add(text(metric.title), figureText(run, metric.name), text(metric.help));
        if (metric.name == "decode_tok_s_median") {
            list.add(tr("Perplexity beside it"), perplexityText(qualityBeside(run, runs)),
                     tr("Of the same policy, parameters and budget"));
        }
    }
    const double limit = run.metric("roofline_tok_s");
    if (isSpeed && std::isfinite(limit)) {
        list.add(tr("Of the roofline"), tr("%1 %").arg(100 * run.metric("decode_tok_s_median") / limit, 0, 'f', 0));
    }
}

void addProvenance(FactList& list, const RunRecord& run) {
    list.begin(tr("Provenance"));
    list.add(tr("Model"), text(run.modelName), QDir::toNativeSeparators(text(run.config.model.path)));
    list.add(tr("Fingerprint"), text(run.modelFingerprint).left(16), text(run.modelFingerprint));
    list.add(tr("Text hash"), text(run.textHash).left(16), text(run.textHash));
    list.add(tr("Tokenizer"), text(run.tokenizer));
    list.add(tr("Type"), text(run.dtype));
    list.add(tr("Device"), text(run.device));
    list.add(tr("Threads"), run.threads > 0 ? QString::number(run.threads) : QString());
    list.add(tr("Order of work"), text(run.runner));
    list.add(tr("Kept entries"), text(run.keptDigest).left(16), tr("Hash of every pruning; equal sets, equal hash"));
    list.add(tr("Machine"), text(run.machine));
    list.add(tr("Started"), text(run.startedAt));
    list.add(tr("Sweep"), text(run.sweep));
    list.add(tr("Program"), text(run.programVersion));
    list.add(tr("libtorch"), text(run.libtorchVersion));
}

}  // namespace

QString figureText(const RunRecord& run, const std::string& metric) {
    const double value = run.metric(metric);
    if (!std::isfinite(value)) {
        return {};
    }
    const auto error = errorMetrics().find(metric);
    return figure(metricInfo(metric), value, error == errorMetrics().end() ? kNotMeasured : run.metric(error->second));
}

std::vector<RunFact> factsOf(const RunRecord& run, const RunList& runs) {
    FactList list;
    addSettings(list, run);
    addFigures(list, run, runs);
    addProvenance(list, run);
    return list.facts;
}

experiments::Sweep sweepOf(const RunRecord& run) {
    const RunConfig& config = run.config;
    const auto axes = [](const ParameterMap& parameters) {
        experiments::AxisMap texts;
        for (const auto& [name, value] : parameters) {
            texts[name] = toText(value);
        }
        return texts;
    };
    experiments::Sweep sweep;
    sweep.name = run.sweep;
    sweep.models = {config.model.path};
    sweep.device = config.model.device;
    sweep.dtype = config.model.dtype;
    sweep.threads = config.model.threads;
    sweep.text = config.text;
    sweep.chunk = config.chunk;
    if (evaluationInfo(config.evaluation).usesContexts) {
        sweep.contexts = {{std::to_string(config.warm), std::to_string(std::max<std::int64_t>(config.score, 1))}};
    }
    if (config.budget > 0) {
        sweep.budgets = std::to_string(config.budget);
    }
    sweep.policies = {{config.policy, axes(config.policyParameters), config.store, axes(config.storeParameters)}};
    sweep.evaluations = {{config.evaluation, config.depth > 0 ? std::to_string(config.depth) : std::string(),
                          axes(config.evaluationParameters)}};
    sweep.seed = config.seed;
    return sweep;
}

QString sweepJsonOf(const RunRecord& run) {
    return text(experiments::toJson(sweepOf(run)));
}

QString repeatCommand(const RunRecord& run) {
    return QStringLiteral("cat > run.json <<'END'\n%1\nEND\nkvist --headless run.json --store repeat.sqlite\n")
        .arg(sweepJsonOf(run).trimmed());
}

}  // namespace kvist::ui
