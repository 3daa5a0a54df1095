// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/csv_writer.h"

#include <QFileInfo>
#include <functional>
#include <utility>

#include "engine/api/evaluation_catalog.h"
#include "experiments/file_text.h"
#include "experiments/number_text.h"
#include "experiments/run_config_json.h"

namespace kvist::experiments {
namespace {

struct Column {
    std::string name;
    std::function<std::string(const RunRecord&)> text;
};

/// Empty for a count that does not apply to the run.
std::string countText(std::int64_t count) {
    return count > 0 ? numberText(count) : std::string{};
}

Column figure(const char* name) {
    return {name, [name](const RunRecord& run) {
                const auto found = run.metrics.find(name);
                return found == run.metrics.end() ? std::string{} : numberText(found->second);
            }};
}

/// Of runs that were stored before there was a choice, the default.
Column parameter(const char* name) {
    return {name, [name](const RunRecord& run) {
                const auto value = evaluationParameter(run.config, name);
                return value ? toText(*value) : std::string{};
            }};
}

const std::vector<Column>& columns() {
    static const std::vector<Column> all = [] {
        std::vector<Column> list = {
            {"run_id", [](const RunRecord& run) { return numberText(run.id); }},
            {"state", [](const RunRecord& run) { return std::string(toString(run.state)); }},
            {"sweep", [](const RunRecord& run) { return run.sweep; }},
            {"model", [](const RunRecord& run) { return run.modelName; }},
            {"model_fingerprint", [](const RunRecord& run) { return run.modelFingerprint; }},
            {"text",
             [](const RunRecord& run) {
                 return QFileInfo(QString::fromStdString(run.config.text.file)).fileName().toStdString();
             }},
            {"policy", [](const RunRecord& run) { return run.config.policy; }},
            {"parameters", [](const RunRecord& run) { return toJson(run.config.policyParameters).dump(); }},
            {"budget_tokens", [](const RunRecord& run) { return countText(run.config.budget); }},
            {"warm",
             [](const RunRecord& run) {
                 return run.config.score > 0 ? numberText(run.config.warm) : countText(run.config.warm);
             }},
            {"scored", [](const RunRecord& run) { return countText(run.config.score); }},
            {"context", [](const RunRecord& run) { return numberText(run.context()); }},
            {"chunk", [](const RunRecord& run) { return numberText(run.config.chunk); }},
            {"dtype", [](const RunRecord& run) { return run.dtype.empty() ? run.config.model.dtype : run.dtype; }},
            {"device", [](const RunRecord& run) { return run.device.empty() ? run.config.model.device : run.device; }},
            {"threads",
             [](const RunRecord& run) { return countText(run.threads > 0 ? run.threads : run.config.model.threads); }},
            {"seed", [](const RunRecord& run) { return numberText(run.config.seed); }},
            {"repeat", [](const RunRecord& run) { return numberText(run.config.repeat); }},
        };
        for (const char* name : {"nll",
                                 "nll_stderr",
                                 "perplexity",
                                 "perplexity_stderr",
                                 "delta_nll",
                                 "delta_nll_stderr",
                                 "kl_mean",
                                 "kl_p99",
                                 "delta_p_rms",
                                 "same_top",
                                 "retrieval_accuracy",
                                 "kv_payload_bytes",
                                 "kv_payload_peak_bytes",
                                 "kv_metadata_bytes",
                                 "policy_state_bytes",
                                 "kv_read_bytes_per_step",
                                 "kv_allocated_bytes",
                                 "process_peak_bytes",
                                 "prefill_tok_s",
                                 "ttft_s",
                                 "decode_depth",
                                 "decode_tok_s_median",
                                 "decode_tok_s_mean",
                                 "decode_tok_s_sd",
                                 "decode_ms_p90",
                                 "read_bandwidth_bytes_s",
                                 "roofline_tok_s",
                                 "seconds"}) {
            list.push_back(figure(name));
        }
        list.push_back({"started_at", [](const RunRecord& run) { return run.startedAt; }});
        list.push_back({"program_version", [](const RunRecord& run) { return run.programVersion; }});
        list.push_back({"libtorch_version", [](const RunRecord& run) { return run.libtorchVersion; }});
        list.push_back({"machine", [](const RunRecord& run) { return run.machine; }});
        list.push_back({"error", [](const RunRecord& run) { return run.errorMessage; }});
        // Later additions stand at the end, so that places known by number stay.
        list.push_back({"evaluation", [](const RunRecord& run) { return run.config.evaluation; }});
        list.push_back({"evaluation_parameters",
                        [](const RunRecord& run) { return toJson(run.config.evaluationParameters).dump(); }});
        for (const char* name : {"task", "length", "depth"}) {
            list.push_back(parameter(name));
        }
        for (const char* name :
             {"retrieval_accuracy_low", "retrieval_accuracy_high", "drift_first_divergence", "drift_equal_share"}) {
            list.push_back(figure(name));
        }
        list.push_back({"store", [](const RunRecord& run) { return run.config.store; }});
        list.push_back({"store_parameters", [](const RunRecord& run) {
                            return run.config.store.empty() ? std::string() : toJson(run.config.storeParameters).dump();
                        }});
        list.push_back(figure("kv_recoded_rows"));
        list.push_back(figure("policy_ms_per_step"));
        list.push_back(parameter("protocol"));
        for (const char* name : {"nll_stderr_block", "delta_nll_stderr_block", "perplexity_ratio", "kl_median",
                                 "kv_payload_estimate_bytes", "arithmetic_flop_s"}) {
            list.push_back(figure(name));
        }
        return list;
    }();
    return all;
}

std::string quoted(const std::string& field) {
    if (field.find_first_of("\",\r\n") == field.npos) {
        return field;
    }
    std::string result = "\"";
    for (const char c : field) {
        result += c == '"' ? "\"\"" : std::string(1, c);
    }
    return result + '"';
}

}  // namespace

const std::vector<std::string>& csvColumns() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const Column& column : columns()) {
            list.push_back(column.name);
        }
        return list;
    }();
    return names;
}

std::string toCsv(const std::vector<RunRecord>& records) {
    std::string csv;
    const auto addRow = [&csv](const auto& fieldOf) {
        const char* separator = "";
        for (const Column& column : columns()) {
            csv += std::exchange(separator, ",") + quoted(fieldOf(column));
        }
        csv += "\r\n";
    };
    addRow([](const Column& column) { return column.name; });
    for (const RunRecord& record : records) {
        addRow([&record](const Column& column) { return column.text(record); });
    }
    return csv;
}

Result<std::string> writeCsvFile(const std::string& path, const std::vector<RunRecord>& records) {
    return writeFile(path, toCsv(records));
}

}  // namespace kvist::experiments
