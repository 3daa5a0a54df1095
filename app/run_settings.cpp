// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run_settings.h"

#include <QDir>

#include "engine/api/policy_catalog.h"
#include "experiments/budget.h"
#include "experiments/sweep_file.h"

namespace kvist::app {
namespace {

ParameterMap parametersOf(const CommandLine& line, const PolicyInfo& policy) {
    ParameterMap given;
    for (const std::string& setting : line.settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw EngineError(ErrorKind::InvalidInput, "--set takes NAME=VALUE, not \"" + setting + "\"");
        }
        const std::string name = setting.substr(0, equals);
        ParameterValue value = setting.substr(equals + 1);
        for (const ParameterSpec& spec : policy.parameters) {
            if (spec.name == name) {
                value = parseValue(spec, setting.substr(equals + 1));
            }
        }
        given[name] = value;
    }
    return completed(policy.parameters, given, "policy " + policy.id);
}

std::int64_t budgetOf(const CommandLine& line, const RunSettings& settings, const Engine& engine, std::int64_t context,
                      std::stop_token stop) {
    if (!policyInfo(settings.policy).usesBudget) {
        if (!line.budget.empty()) {
            throw EngineError(ErrorKind::InvalidInput,
                              "policy " + settings.policy + " has no budget; leave --budget out");
        }
        return 0;
    }
    if (line.budget.empty()) {
        throw EngineError(ErrorKind::InvalidInput,
                          "policy " + settings.policy + " needs --budget, entries per layer and KV head");
    }
    const auto budget = experiments::Budget::parse(line.budget);
    if (!budget) {
        throw EngineError(ErrorKind::InvalidInput, "--budget: " + budget.refusal().message);
    }
    if (budget->unit() == experiments::Budget::Unit::Share && context == 0) {
        throw EngineError(ErrorKind::InvalidInput,
                          "--budget " + line.budget + ": --generate has no fixed context; give entries or bytes");
    }
    const ModelInfo model = engine.inspect(settings.model.path, stop);
    const int elementBytes = elementSize(resolvedDtype(settings.model, model, engine.machine()));
    const auto entries = budget->entries({context, model.kvBytesPerToken(elementBytes)});
    if (!entries) {
        throw EngineError(ErrorKind::InvalidInput, "--budget: " + entries.refusal().message);
    }
    checkBudget(settings.policy, settings.parameters, *entries);
    return *entries;
}

}  // namespace

RunSettings settingsOf(const CommandLine& line, const Engine& engine, const std::string& resources,
                       std::int64_t context, std::stop_token stop) {
    RunSettings settings;
    settings.policy = line.policy;
    settings.parameters = parametersOf(line, policyInfo(line.policy));
    settings.model.path = foundPath(line.model.empty() ? "demo_model" : line.model, resources);
    settings.model.device = line.device;
    settings.model.dtype = line.dtype;
    settings.model.threads = line.threads;
    settings.budget = budgetOf(line, settings, engine, context, stop);
    return settings;
}

std::string foundPath(const std::string& path, const std::string& resources) {
    const auto found = experiments::resolvedPath(path, QDir::currentPath().toStdString(), resources);
    if (!found) {
        throw EngineError(ErrorKind::UnreadableFile, found.refusal().message);
    }
    return *found;
}

}  // namespace kvist::app
