// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/run_config_json.h"

namespace kvist::experiments {
namespace {

using Json = nlohmann::json;

ParameterMap parametersOf(const Json& json) {
    ParameterMap parameters;
    for (const auto& [name, value] : json.items()) {
        if (value.is_boolean()) {
            parameters[name] = value.get<bool>();
        } else if (value.is_number_integer()) {
            parameters[name] = value.get<std::int64_t>();
        } else if (value.is_number_float()) {
            parameters[name] = value.get<double>();
        } else {
            parameters[name] = value.get<std::string>();
        }
    }
    return parameters;
}

}  // namespace

Json toJson(const ParameterMap& parameters) {
    Json json = Json::object();
    for (const auto& [name, value] : parameters) {
        std::visit([&](const auto& held) { json[name] = held; }, value);
    }
    return json;
}

Json toJson(const RunConfig& config) {
    Json json = {
        {"model", config.model.path},
        {"device", config.model.device},
        {"dtype", config.model.dtype},
        {"threads", config.model.threads},
        {"text", config.text.file},
        {"segments", config.text.segments == Segmentation::Whole ? "whole" : "lines"},
        {"policy", config.policy},
        {"policy_parameters", toJson(config.policyParameters)},
        {"budget", config.budget},
        {"evaluation", config.evaluation},
        {"evaluation_parameters", toJson(config.evaluationParameters)},
        {"warm", config.warm},
        {"score", config.score},
        {"depth", config.depth},
        {"chunk", config.chunk},
        {"seed", config.seed},
        {"repeat", config.repeat},
    };
    if (!config.store.empty()) {  // runs without one keep the keys that they have always had
        json["store"] = config.store;
        json["store_parameters"] = toJson(config.storeParameters);
    }
    if (!config.text.field.empty()) {
        json["text_field"] = config.text.field;
    }
    return json;
}

RunConfig runConfigOf(const Json& json) {
    RunConfig config;
    json.at("model").get_to(config.model.path);
    json.at("device").get_to(config.model.device);
    json.at("dtype").get_to(config.model.dtype);
    json.at("threads").get_to(config.model.threads);
    json.at("text").get_to(config.text.file);
    config.text.segments = json.at("segments") == "whole" ? Segmentation::Whole : Segmentation::Lines;
    json.at("policy").get_to(config.policy);
    if (json.contains("text_field")) {
        json.at("text_field").get_to(config.text.field);
    }
    config.policyParameters = parametersOf(json.at("policy_parameters"));
    if (json.contains("store")) {
        json.at("store").get_to(config.store);
        config.storeParameters = parametersOf(json.at("store_parameters"));
    }
    json.at("budget").get_to(config.budget);
    json.at("evaluation").get_to(config.evaluation);
    config.evaluationParameters = parametersOf(json.at("evaluation_parameters"));
    json.at("warm").get_to(config.warm);
    json.at("score").get_to(config.score);
    json.at("depth").get_to(config.depth);
    json.at("chunk").get_to(config.chunk);
    json.at("seed").get_to(config.seed);
    json.at("repeat").get_to(config.repeat);
    return config;
}

}  // namespace kvist::experiments
