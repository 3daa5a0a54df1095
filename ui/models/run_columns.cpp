// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_columns.h"

#include <QCoreApplication>
#include <QDir>
#include <cmath>

#include "experiments/budget.h"
#include "experiments/number_text.h"
#include "ui/charts/store_text.h"
#include "ui/widgets/plan_text.h"

namespace kvist::ui {

using experiments::RunRecord;
using experiments::RunState;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("RunColumns", text);
}

QString exactly(double value) {
    return QString::fromStdString(experiments::numberText(value));
}

RunCell numberCell(double value, int decimals, const QString& exact) {
    return std::isfinite(value) ? RunCell{QString::number(value, 'f', decimals), exact, value} : RunCell();
}

QString withError(const RunRecord& run, const char* metric, const char* error) {
    const double width = run.metric(error);
    return std::isfinite(width) ? QStringLiteral("%1 ± %2").arg(exactly(run.metric(metric)), exactly(width))
                                : exactly(run.metric(metric));
}

RunCell stateCell(const RunRecord& run, const RunList&) {
    const QString text = stateText(run.state);
    return {text, text, static_cast<double>(run.state)};
}

RunCell policyCell(const RunRecord& run, const RunList&) {
    const QString parameters = parametersText(run);
    const QString title = methodText(run.config);
    return {title, parameters.isEmpty() ? title : QStringLiteral("%1\n%2").arg(title, parameters), kNotMeasured};
}

RunCell parametersCell(const RunRecord& run, const RunList&) {
    const QString text = parametersText(run);
    return {text, text, kNotMeasured};
}

RunCell budgetCell(const RunRecord& run, const RunList&) {
    const auto budget = static_cast<double>(run.config.budget);
    return run.config.budget > 0 ? numberCell(budget, 0, tr("%1 entries per layer and KV head").arg(run.config.budget))
                                 : RunCell{QStringLiteral("–"), tr("keeps every entry"), kNotMeasured};
}

RunCell contextCell(const RunRecord& run, const RunList&) {
    const RunConfig& config = run.config;
    const auto context = static_cast<double>(run.context());
    if (config.depth > 0) {
        return {QString::number(config.depth), tr("%1 tokens seen before the timed steps").arg(config.depth), context};
    }
    if (config.score == 0) {
        return {contextText(run),
                tr("%1 tokens read and written, in chunks of %2").arg(run.context()).arg(config.chunk), context};
    }
    return {contextText(run),
            tr("%1 tokens, then %2 scored, in chunks of %3").arg(config.warm).arg(config.score).arg(config.chunk),
            context};
}

RunCell perplexityCell(const RunRecord& run, const RunList& runs) {
    if (std::isfinite(run.metric("perplexity"))) {
        return {perplexityText(&run), withError(run, "perplexity", "perplexity_stderr"), run.metric("perplexity")};
    }
    const RunRecord* beside = run.state == RunState::Finished ? qualityBeside(run, runs) : nullptr;
    if (beside == nullptr) {
        return {};
    }
    return {QStringLiteral("(%1)").arg(QString::number(beside->metric("perplexity"), 'f', 2)),
            tr("%1 in the perplexity run of the same policy and budget")
                .arg(withError(*beside, "perplexity", "perplexity_stderr")),
            beside->metric("perplexity")};
}

RunCell evaluationCell(const RunRecord& run, const RunList&) {
    const QString text = evaluationText(run);
    QStringList lines{text};
    for (const auto& [name, value] : run.config.evaluationParameters) {
        lines << QStringLiteral("%1 %2").arg(QString::fromStdString(name), QString::fromStdString(toText(value)));
    }
    return {text, lines.join(QLatin1Char('\n')), kNotMeasured};
}

/// Hidden facts that were given back, or tokens written as the full cache writes them.
RunCell rightCell(const RunRecord& run, const RunList&) {
    const double accuracy = run.metric("retrieval_accuracy");
    if (std::isfinite(accuracy)) {
        return numberCell(100 * accuracy, 0,
                          tr("%1 of the hidden facts, 95 % interval %2 to %3")
                              .arg(exactly(accuracy), exactly(run.metric("retrieval_accuracy_low")),
                                   exactly(run.metric("retrieval_accuracy_high"))));
    }
    const double first = run.metric("drift_first_divergence");
    const double share = run.metric("drift_equal_share");
    return numberCell(
        100 * share, 0,
        std::isfinite(first)
            ? tr("%1 of the tokens as with the full cache, the first %2 all").arg(exactly(share), exactly(first))
            : tr("every token as with the full cache"));
}

RunCell deltaCell(const RunRecord& run, const RunList&) {
    if (run.isBaseline()) {
        return {};
    }
    QStringList lines{withError(run, "delta_nll", "delta_nll_stderr")};
    if (std::isfinite(run.metric("kl_mean"))) {
        lines << tr("KL to the full cache %1 nats, same top choice %2 %")
                     .arg(exactly(run.metric("kl_mean")), QString::number(100 * run.metric("same_top"), 'f', 1));
    }
    return numberCell(run.metric("delta_nll"), 4, lines.join(QLatin1Char('\n')));
}

RunCell memoryCell(const RunRecord& run, const RunList&) {
    const double bytes = run.heldBytes();
    QStringList lines{run.isCoded() ? tr("%1 bytes of codes, scales and positions at the peak").arg(exactly(bytes))
                                    : tr("%1 bytes of keys and values at the peak").arg(exactly(bytes))};
    const double state = run.metric("policy_state_bytes");
    if (state > 0) {
        lines << tr("beside them %1 bytes of the policy's own state").arg(exactly(state));
    }
    return numberCell(bytes / (1024.0 * 1024.0), 2, lines.join(QLatin1Char('\n')));
}

RunCell klCell(const RunRecord& run, const RunList&) {
    return run.isBaseline() ? RunCell()
                            : numberCell(run.metric("kl_mean"), 4,
                                         tr("mean %1 nats, 99th percentile %2; RMS of Δp of the right token %3")
                                             .arg(exactly(run.metric("kl_mean")), exactly(run.metric("kl_p99")),
                                                  exactly(run.metric("delta_p_rms"))));
}

RunCell sameTopCell(const RunRecord& run, const RunList&) {
    const double share = run.metric("same_top");
    return run.isBaseline() ? RunCell()
                            : numberCell(100 * share, 1,
                                         tr("%1 of the tokens have the same most probable choice").arg(exactly(share)));
}

RunCell policyTimeCell(const RunRecord& run, const RunList&) {
    const double time = run.metric("policy_ms_per_step");
    return numberCell(time, 3, tr("%1 ms of each decode step: observing, planning and evicting").arg(exactly(time)));
}

RunCell speedCell(const RunRecord& run, const RunList&) {
    return numberCell(run.metric("decode_tok_s_median"), 1, withError(run, "decode_tok_s_median", "decode_tok_s_sd"));
}

RunCell durationCell(const RunRecord& run, const RunList&) {
    const double seconds = run.metric("seconds");
    return std::isfinite(seconds)
               ? RunCell{seconds < 10 ? tr("%1 s").arg(QString::number(seconds, 'f', 1)) : durationText(seconds),
                         tr("%1 s").arg(exactly(seconds)), seconds}
               : RunCell();
}

RunCell modelCell(const RunRecord& run, const RunList&) {
    return {QStringLiteral("%1 %2").arg(QString::fromStdString(run.modelName), QString::fromStdString(run.dtype)),
            QDir::toNativeSeparators(QString::fromStdString(run.config.model.path)), kNotMeasured};
}

RunCell messageCell(const RunRecord& run, const RunList&) {
    QStringList parts;
    if (!run.errorMessage.empty()) {
        parts << QString::fromStdString(run.errorMessage);
    }
    for (const std::string& note : run.notes) {
        parts << QString::fromStdString(note);
    }
    return {parts.join(QStringLiteral("; ")), parts.join(QLatin1Char('\n')), kNotMeasured};
}

}  // namespace

const std::vector<RunColumn>& runColumns() {
    static const std::vector<RunColumn> columns = {
        {QStringLiteral("state"), tr("State"), tr("Where the run stands"), false, stateCell},
        {QStringLiteral("policy"), tr("Policy"), tr("What decides which entries stay"), false, policyCell},
        {QStringLiteral("budget"), tr("Budget"), tr("Entries kept per layer and KV head"), true, budgetCell},
        {QStringLiteral("context"), tr("Context"),
         tr("Tokens fed + scored, all that a retrieval run reads, or the depth of a speed run"), true, contextCell},
        {QStringLiteral("perplexity"), tr("PPL ± se"),
         tr("Perplexity with its standard error; in brackets: of the same policy and budget, beside a speed"), true,
         perplexityCell},
        {QStringLiteral("delta_nll"), tr("ΔNLL"), tr("Mean paired difference to the full cache, nats"), true,
         deltaCell},
        {QStringLiteral("right"), tr("Right %"),
         tr("Retrieval: hidden facts that the answers hold; drift: tokens written as the full cache writes them"), true,
         rightCell},
        {QStringLiteral("memory"), tr("KV MiB"), tr("Keys and values at their peak; codes with their scales"), true,
         memoryCell},
        {QStringLiteral("speed"), tr("tok/s"), tr("Median decode speed"), true, speedCell},
        {QStringLiteral("seconds"), tr("Took"), tr("Wall time without loading the model"), true, durationCell},
        {QStringLiteral("message"), tr("Notes"), tr("Why a run failed, and what a reader must know"), false,
         messageCell},
        {QStringLiteral("parameters"), tr("Parameters"), tr("The policy's own parameters"), false, parametersCell},
        {QStringLiteral("evaluation"), tr("Measured"), tr("What the run measures"), false, evaluationCell},
        {QStringLiteral("model"), tr("Model"), tr("Model and type"), false, modelCell},
        {QStringLiteral("kl"), tr("KL"), tr("Mean KL of the predictions to the full cache's, nats (divergence)"), true,
         klCell},
        {QStringLiteral("same_top"), tr("Same top %"),
         tr("Tokens whose most probable choice is the full cache's (divergence)"), true, sameTopCell},
        {QStringLiteral("policy_time"), tr("Policy ms"), tr("What the policy takes of a decode step"), true,
         policyTimeCell},
    };
    return columns;
}

QString stateText(RunState state) {
    switch (state) {
        case RunState::Queued:
            return tr("Queued");
        case RunState::Running:
            return tr("Running");
        case RunState::Finished:
            return tr("Finished");
        case RunState::Failed:
            return tr("Failed");
        case RunState::Cancelled:
            return tr("Cancelled");
        case RunState::Interrupted:
            break;
    }
    return tr("Interrupted");
}

QString stateIcon(RunState state) {
    return QStringLiteral("state-") + QString::fromLatin1(experiments::toString(state));
}

}  // namespace kvist::ui
