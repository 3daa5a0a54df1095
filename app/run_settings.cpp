// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run_settings.h"

#include <QDir>
#include <algorithm>

#include "engine/api/policy_catalog.h"
#include "experiments/budget.h"
#include "experiments/sweep_file.h"

namespace kvist::app {
namespace {

constexpr std::string_view kStorePrefix = "store.";

/// The settings of the store without their prefix, or the others.
std::vector<std::string> settingsFor(const CommandLine& line, bool isStore) {
    std::vector<std::string> settings;
    for (const std::string& setting : line.settings) {
        if (setting.starts_with(kStorePrefix) == isStore) {
            settings.push_back(isStore ? setting.substr(kStorePrefix.size()) : setting);
        }
    }
    return settings;
}

ParameterMap parametersOf(std::vector<std::string> settings, const PolicyInfo& policy, const std::string& owner) {
    ParameterMap given;
    // Which of a policy's parameters there are may depend on its base.
    std::stable_partition(settings.begin(), settings.end(), [](const auto& one) { return one.starts_with("base="); });
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw EngineError(ErrorKind::InvalidInput, "--set takes NAME=VALUE, not \"" + setting + "\"");
        }
        const std::string name = setting.substr(0, equals);
        ParameterValue value = setting.substr(equals + 1);
        if (const ParameterSpec* spec = specOf(policy.parameters, name, given)) {
            value = parseValue(*spec, setting.substr(equals + 1));
        }
        given[name] = value;
    }
    return completed(policy.parameters, given, owner);
}

std::int64_t budgetOf(const CommandLine& line, const RunConfig& config, const Engine& engine, std::int64_t context,
                      std::stop_token stop) {
    if (!policyInfo(config.policy).usesBudget) {
        if (!line.budget.empty()) {
            throw EngineError(ErrorKind::InvalidInput,
                              "policy " + config.policy + " has no budget; leave --budget out");
        }
        return 0;
    }
    if (line.budget.empty()) {
        throw EngineError(ErrorKind::InvalidInput,
                          "policy " + config.policy + " needs --budget, entries per layer and KV head");
    }
    const auto budget = experiments::Budget::parse(line.budget);
    if (!budget) {
        throw EngineError(ErrorKind::InvalidInput, "--budget: " + budget.refusal().message);
    }
    if (budget->unit() == experiments::Budget::Unit::Share && context == 0) {
        throw EngineError(ErrorKind::InvalidInput,
                          "--budget " + line.budget + ": --generate has no fixed context; give entries or bytes");
    }
    const ModelInfo model = engine.inspect(config.model.path, stop);
    const int elementBytes = elementSize(resolvedDtype(config.model, model, engine.machine()));
    const auto entries = budget->entries({context, model.kvBytesPerToken(elementBytes)});
    if (!entries) {
        throw EngineError(ErrorKind::InvalidInput, "--budget: " + entries.refusal().message);
    }
    checkBudget(config.policy, config.policyParameters, *entries);
    return *entries;
}

}  // namespace

RunConfig settingsOf(const CommandLine& line, const Engine& engine, const std::string& resources, std::int64_t context,
                     std::stop_token stop) {
    RunConfig config;
    config.policy = line.policy;
    config.policyParameters = parametersOf(settingsFor(line, false), policyInfo(line.policy), "policy " + line.policy);
    config.store = line.kvStore;
    if (!line.kvStore.empty()) {
        config.storeParameters =
            parametersOf(settingsFor(line, true), storeInfo(line.kvStore, line.policy), "store " + line.kvStore);
    } else if (!settingsFor(line, true).empty()) {
        throw EngineError(ErrorKind::InvalidInput, "--set store.NAME=VALUE needs --kv-store");
    }
    config.model = {foundPath(line.model.empty() ? "demo_model" : line.model, resources), line.device, line.dtype,
                    line.threads};
    config.chunk = line.chunk;
    config.seed = line.seed;
    config.budget = budgetOf(line, config, engine, context, stop);
    return config;
}

std::string foundPath(const std::string& path, const std::string& resources) {
    const auto found = experiments::resolvedPath(path, QDir::currentPath().toStdString(), resources);
    if (!found) {
        throw EngineError(ErrorKind::UnreadableFile, found.refusal().message);
    }
    return *found;
}

}  // namespace kvist::app
