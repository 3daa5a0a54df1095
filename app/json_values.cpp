// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/json_values.h"

#include <cmath>

#include "app/version.h"
#include "engine/api/metric_catalog.h"
#include "experiments/run_config_json.h"

namespace kvist::app {

using nlohmann::ordered_json;

ordered_json jsonValue(const RunConfig& config, const RunResult& result) {
    ordered_json json = {{"model", config.model.path},
                         {"model_fingerprint", result.modelFingerprint},
                         {"tokenizer", result.tokenizer},
                         {"text", config.text.file},
                         {"segments", config.text.segments == Segmentation::Lines ? "lines" : "whole"},
                         {"policy", config.policy},
                         {"parameters", experiments::toJson(config.policyParameters)},
                         {"budget_tokens", config.budget},
                         {"warm", config.warm},
                         {"scored", result.tokenNll.size()},
                         {"chunk", config.chunk},
                         {"device", result.device},
                         {"dtype", result.dtype},
                         {"threads", result.threads},
                         {"seed", config.seed}};
    if (!config.text.field.empty()) {
        json["text_field"] = config.text.field;
    }
    for (const auto& [name, value] : config.evaluationParameters) {
        json[name] = toText(value);
    }
    if (!config.store.empty()) {
        json["store"] = config.store;
        json["store_parameters"] = experiments::toJson(config.storeParameters);
    }
    for (const MetricInfo& metric : metricCatalog()) {
        const auto found = result.metrics.find(metric.name);
        if (found != result.metrics.end() && std::isfinite(found->second)) {
            json[metric.name] = found->second;
        }
    }
    json["kept_digest"] = result.keptDigest;
    json["runner"] = result.runner;
    json["machine"] = result.machine;
    json["program_version"] = programVersion();
    json["libtorch_version"] = result.libtorchVersion;
    json["notes"] = result.notes;
    return json;
}

}  // namespace kvist::app
