// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/catalog_lists.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/api/evaluation_catalog.h"
#include "engine/api/policy_catalog.h"
#include "experiments/number_text.h"

namespace kvist::app {
namespace {

using nlohmann::ordered_json;

const char* typeName(ParameterType type) {
    switch (type) {
        case ParameterType::Integer:
            return "integer";
        case ParameterType::Real:
            return "real";
        case ParameterType::Boolean:
            return "boolean";
        case ParameterType::Choice:
            break;
    }
    return "choice";
}

bool hasRange(const ParameterSpec& spec) {
    return spec.type == ParameterType::Integer || spec.type == ParameterType::Real;
}

ordered_json jsonOf(const ParameterValue& value) {
    return std::visit([](const auto& held) { return ordered_json(held); }, value);
}

ordered_json toJson(const std::vector<ParameterSpec>& specs) {
    ordered_json list = ordered_json::array();
    for (const ParameterSpec& spec : specs) {
        ordered_json entry = {{"name", spec.name},           {"title", spec.title},
                              {"type", typeName(spec.type)}, {"default", jsonOf(spec.defaultValue)},
                              {"unit", spec.unit},           {"help", spec.help}};
        if (!spec.base.empty()) {
            entry["base"] = spec.base;
        }
        if (hasRange(spec)) {
            entry["minimum"] = spec.minimum;
            entry["maximum"] = spec.maximum;
        }
        if (spec.type == ParameterType::Choice) {
            entry["choices"] = spec.choices;
        }
        list.push_back(entry);
    }
    return list;
}

void addText(std::ostringstream& out, const std::vector<ParameterSpec>& specs) {
    using experiments::numberText;
    for (const ParameterSpec& spec : specs) {
        out << "    " << (spec.base.empty() ? "" : "with base=" + spec.base + ": ") << spec.name << '='
            << toText(spec.defaultValue);
        if (hasRange(spec)) {
            out << "  (" << numberText(spec.minimum, 12) << " to " << numberText(spec.maximum, 12)
                << (spec.unit.empty() ? "" : " " + spec.unit) << ')';
        }
        for (std::size_t i = 0; i < spec.choices.size(); ++i) {
            out << (i == 0 ? "  (" : ", ") << spec.choices[i] << (i + 1 == spec.choices.size() ? ")" : "");
        }
        out << "  " << spec.help << '\n';
    }
}

}  // namespace

std::string policyList(bool asJson) {
    ordered_json list = ordered_json::array();
    std::ostringstream out;
    for (const PolicyInfo& policy : policyCatalog()) {
        list.push_back({{"id", policy.id},
                        {"title", policy.title},
                        {"group", policy.group},
                        {"summary", policy.summary},
                        {"paper", policy.paper},
                        {"uses_budget", policy.usesBudget},
                        {"store", policy.isStore},
                        {"reconstruction", policy.isReconstruction},
                        {"needs", policy.needs},
                        {"saves", policy.saves},
                        {"costs", policy.costs},
                        {"parameters", toJson(policy.parameters)}});
        out << policy.id << "  " << policy.title << ": " << policy.summary << '\n';
        addText(out, policy.parameters);
        if (!policy.paper.empty()) {
            out << "    " << policy.paper << (policy.isReconstruction ? " (a reconstruction)" : "") << '\n';
        }
        for (const auto& [title, text] :
             {std::pair{"needs", policy.needs}, {"saves", policy.saves}, {"costs", policy.costs}}) {
            out << (text.empty() ? "" : std::string("    ") + title + ": " + text + '\n');
        }
    }
    return asJson ? list.dump(2) + '\n' : out.str();
}

std::string evaluationList(bool asJson) {
    ordered_json list = ordered_json::array();
    std::ostringstream out;
    for (const EvaluationInfo& evaluation : evaluationCatalog()) {
        list.push_back({{"id", evaluation.id},
                        {"title", evaluation.title},
                        {"summary", evaluation.summary},
                        {"uses_contexts", evaluation.usesContexts},
                        {"uses_depths", evaluation.usesDepths},
                        {"uses_text", evaluation.usesText},
                        {"parameters", toJson(evaluation.parameters)}});
        out << evaluation.id << "  " << evaluation.title << ": " << evaluation.summary << '\n';
        addText(out, evaluation.parameters);
    }
    return asJson ? list.dump(2) + '\n' : out.str();
}

}  // namespace kvist::app
