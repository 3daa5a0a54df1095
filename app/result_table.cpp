// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/result_table.h"

#include <QString>
#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/api/evaluation_catalog.h"
#include "experiments/budget.h"

namespace kvist::app {
namespace {

using experiments::RunRecord;

struct Column {
    std::string title;
    bool isNumber;
    std::function<std::string(const RunRecord&)> text;
};

std::string fixed(double value, int decimals) {
    return std::isfinite(value) ? QString::number(value, 'f', decimals).toStdString() : std::string();
}

/// "40.12 ± 0.31"; the error is left out where it was not measured.
std::string withError(const RunRecord& record, const std::string& metric, const std::string& error, int decimals) {
    const std::string value = fixed(record.metric(metric), decimals);
    const std::string spread = fixed(record.metric(error), decimals);
    return value.empty() || spread.empty() ? value : value + " ± " + spread;
}

std::string parameterText(const RunRecord& record) {
    std::string text;
    for (const auto& [name, value] : record.config.policyParameters) {
        text += (text.empty() ? "" : " ") + name + '=' + toText(value);
    }
    return text;
}

std::string storeText(const RunRecord& record) {
    std::string text = record.config.store;
    for (const auto& [name, value] : record.config.storeParameters) {
        text += ' ' + name + '=' + toText(value);
    }
    return text;
}

/// Of a retrieval task; a depth below 0 is drawn for each sample.
std::string taskParameter(const RunRecord& record, const std::string& name) {
    const auto value = evaluationParameter(record.config, name);
    const std::string text = value ? toText(*value) : std::string();
    return text == "-1" ? "any" : text;
}

/// "0.85 (0.64-0.95)": with the ends of the interval.
std::string recallText(const RunRecord& record) {
    const std::string share = fixed(record.metric("retrieval_accuracy"), 2);
    return share.empty() ? share
                         : share + " (" + fixed(record.metric("retrieval_accuracy_low"), 2) + "-" +
                               fixed(record.metric("retrieval_accuracy_high"), 2) + ")";
}

std::string budgetText(const RunRecord& record) {
    return record.config.budget > 0 ? std::to_string(record.config.budget) : std::string();
}

std::vector<Column> columns() {
    return {
        {"policy", false, [](const RunRecord& r) { return r.config.policy; }},
        {"store", false, storeText},
        {"parameters", false, parameterText},
        {"budget", true, budgetText},
        {"task", false, [](const RunRecord& r) { return taskParameter(r, "task"); }},
        {"depth %", true, [](const RunRecord& r) { return taskParameter(r, "depth"); }},
        {"context", true, [](const RunRecord& r) { return std::to_string(r.context()); }},
        {"perplexity", true, [](const RunRecord& r) { return withError(r, "perplexity", "perplexity_stderr", 2); }},
        {"ΔNLL", true, [](const RunRecord& r) { return withError(r, "delta_nll", "delta_nll_stderr", 4); }},
        {"KL", true, [](const RunRecord& r) { return r.isBaseline() ? std::string() : fixed(r.metric("kl_mean"), 4); }},
        {"same top", true,
         [](const RunRecord& r) { return r.isBaseline() ? std::string() : fixed(r.metric("same_top"), 3); }},
        {"recalled", true, recallText},
        {"equal tokens", true, [](const RunRecord& r) { return fixed(r.metric("drift_equal_share"), 3); }},
        {"first other", true, [](const RunRecord& r) { return fixed(r.metric("drift_first_divergence"), 0); }},
        {"KV memory", true,
         [](const RunRecord& r) {
             // At the peak: a prompt that is held whole and then compressed takes what it took.
             const double bytes = r.heldBytes();
             return std::isfinite(bytes) ? experiments::bytesText(std::llround(bytes)) : std::string();
         }},
        {"tok/s", true, [](const RunRecord& r) { return fixed(r.metric("decode_tok_s_median"), 1); }},
        {"policy ms", true, [](const RunRecord& r) { return fixed(r.metric("policy_ms_per_step"), 3); }},
        {"state", false, [](const RunRecord& r) { return std::string(toString(r.state)); }},
    };
}

std::size_t widthOf(const std::string& utf8) {
    return static_cast<std::size_t>(QString::fromStdString(utf8).size());
}

}  // namespace

std::string resultTable(const std::vector<RunRecord>& records) {
    std::vector<std::string> lines(records.size() + 1);
    for (const Column& column : columns()) {
        std::vector<std::string> cells = {column.title};
        for (const RunRecord& record : records) {
            cells.push_back(column.text(record));
        }
        if (std::all_of(cells.begin() + 1, cells.end(), [](const std::string& cell) { return cell.empty(); })) {
            continue;
        }
        std::size_t width = 0;
        for (const std::string& cell : cells) {
            width = std::max(width, widthOf(cell));
        }
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string padding(width - widthOf(cells[i]), ' ');
            lines[i] += (lines[i].empty() ? "" : "  ") + (column.isNumber ? padding + cells[i] : cells[i] + padding);
        }
    }
    std::string table;
    for (std::string& line : lines) {
        line.erase(line.find_last_not_of(' ') + 1);
        table += line + '\n';
    }
    return table;
}

std::string runTitle(const RunRecord& record) {
    std::string title = record.config.policy;
    const std::string parameters = parameterText(record);
    title += parameters.empty() ? "" : ' ' + parameters;
    title += record.config.store.empty() ? "" : " in " + storeText(record);
    title += record.config.budget > 0 ? ", " + budgetText(record) + " of " : ", ";
    title += std::to_string(record.context()) + " tokens";
    const std::string task = taskParameter(record, "task");
    return task.empty() ? title : title + ", " + task + " at depth " + taskParameter(record, "depth");
}

}  // namespace kvist::app
