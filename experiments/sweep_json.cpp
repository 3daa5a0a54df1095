// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/sweep_json.h"

#include <algorithm>
#include <limits>

#include "engine/api/dtype.h"
#include "engine/api/engine_error.h"
#include "engine/api/evaluation_catalog.h"
#include "engine/api/policy_catalog.h"
#include "experiments/budget.h"
#include "experiments/result.h"
#include "experiments/sweep_file.h"
#include "experiments/value_range.h"

namespace kvist::experiments {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> kDevices = {"auto", "cpu", "cuda"};

std::vector<std::string> withAuto(std::vector<std::string> names) {
    names.insert(names.begin(), "auto");
    return names;
}

/// The axes under the keys that the specs name, each value checked. Of parameters that belong to bases one that
/// accepts the values is enough here; the planner knows which apply.
AxisMap axesOf(const JsonObject& json, const std::vector<ParameterSpec>& specs) {
    AxisMap axes;
    for (const ParameterSpec& spec : specs) {
        if (!json.contains(spec.name) || axes.contains(spec.name)) {
            continue;
        }
        const AxisText text = json.axis(spec.name);
        const bool isAccepted = std::any_of(specs.begin(), specs.end(), [&](const ParameterSpec& one) {
            return one.name == spec.name && expandedValues(one, text);
        });
        if (!isAccepted) {
            json.complain(spec.name, expandedValues(spec, text).refusal().message);
        }
        axes[spec.name] = text;
    }
    return axes;
}

std::vector<std::string> namesOf(const std::vector<ParameterSpec>& specs, std::vector<std::string> more) {
    for (const ParameterSpec& spec : specs) {
        more.push_back(spec.name);
    }
    return more;
}

/// The catalog's entry for the object's id; `info` throws EngineError for an unknown one.
template <typename Info>
const Info& infoOf(const JsonObject& json, const Info& (*info)(const std::string&)) {
    try {
        return info(json.text("id"));
    } catch (const EngineError& error) {
        json.complain("id", error.what());
    }
}

AxisText integersOf(const JsonObject& json, const std::string& key, std::int64_t minimum) {
    AxisText text = json.axis(key);
    if (const auto numbers = expandedIntegers(text, minimum, kMostTokens); !numbers) {
        json.complain(key, key + ": " + numbers.refusal().message);
    }
    return text;
}

SweepContext contextOf(const JsonObject& json) {
    json.allowOnly({"warm", "score"});
    return {.warm = integersOf(json, "warm", 0), .score = integersOf(json, "score", 1)};
}

/// The store of a policy; its parameters stand beside its id.
void readStore(const JsonObject& json, SweepPolicy& policy) {
    policy.store = json.text("id");
    try {
        const PolicyInfo& info = storeInfo(policy.store, policy.id);
        json.allowOnly(namesOf(info.parameters, {"id"}));
        policy.storeParameters = axesOf(json, info.parameters);
    } catch (const EngineError& error) {
        json.complain("id", error.what());
    }
}

SweepPolicy policyOf(const JsonObject& json) {
    json.allowOnly({"id", "parameters", "store"});
    const PolicyInfo& info = infoOf(json, policyInfo);
    SweepPolicy policy{.id = info.id, .parameters = {}};
    if (json.contains("store")) {
        readStore(json.object("store", "the store of policy " + info.id), policy);
    }
    if (json.contains("parameters")) {
        const JsonObject parameters = json.object("parameters", "the parameters of policy " + info.id);
        parameters.allowOnly(namesOf(info.parameters, {}));
        policy.parameters = axesOf(parameters, info.parameters);
    }
    return policy;
}

/// Parameters of an evaluation stand beside its id.
SweepEvaluation evaluationOf(const JsonObject& json) {
    const EvaluationInfo& info = infoOf(json, evaluationInfo);
    json.allowOnly(namesOf(
        info.parameters, info.usesDepths ? std::vector<std::string>{"id", "depths"} : std::vector<std::string>{"id"}));
    return {.id = info.id,
            .depths = json.contains("depths") ? integersOf(json, "depths", 1) : AxisText{},
            .parameters = axesOf(json, info.parameters)};
}

/// A number or a truth value where the item is one, otherwise text.
Json itemJson(const std::string& item) {
    const Json value = Json::parse(item, nullptr, false);
    const bool isPlain = (value.is_number() || value.is_boolean()) && value.dump() == item;
    return isPlain ? value : Json(item);
}

Json listJson(const AxisText& text) {
    Json list = Json::array();
    for (const std::string& item : axisItems(text)) {
        list.push_back(itemJson(item));
    }
    return list;
}

Json axisJson(const AxisText& text) {
    Json list = listJson(text);
    return list.size() == 1 ? list.front() : list;
}

void addAxes(Json& json, const AxisMap& axes) {
    for (const auto& [name, axis] : axes) {
        json[name] = axisJson(axis);
    }
}

Json policyJson(const SweepPolicy& policy) {
    Json json = {{"id", policy.id}};
    if (!policy.parameters.empty()) {
        addAxes(json["parameters"], policy.parameters);
    }
    if (!policy.store.empty()) {
        json["store"]["id"] = policy.store;
        addAxes(json["store"], policy.storeParameters);
    }
    return json;
}

Json evaluationJson(const SweepEvaluation& evaluation) {
    Json json = {{"id", evaluation.id}};
    if (!evaluation.depths.empty()) {
        json["depths"] = axisJson(evaluation.depths);
    }
    addAxes(json, evaluation.parameters);
    return json;
}

}  // namespace

Sweep sweepOf(const JsonObject& json) {
    json.allowOnly({"kvist_sweep", "name", "model", "device", "dtype", "threads", "text", "chunk", "contexts",
                    "budgets", "policies", "evaluations", "repeats", "seed"});
    if (!json.contains("kvist_sweep")) {
        throw RefusedInput("kvist_sweep",
                           "line 1: kvist_sweep is missing; a sweep file begins with \"kvist_sweep\": 1");
    }
    json.integer("kvist_sweep", 1, 1, 1);

    Sweep sweep;
    sweep.name = json.text("name", "");
    if (json.contains("model")) {
        sweep.models = json.texts("model");
    }
    sweep.device = json.choice("device", sweep.device, kDevices);
    sweep.dtype = json.choice("dtype", sweep.dtype, withAuto(dtypes()));
    sweep.threads = static_cast<int>(json.integer("threads", 0, 0, kMostThreads));
    if (json.contains("text")) {
        const JsonObject text = json.object("text", "the text");
        text.allowOnly({"file", "segments", "field"});
        sweep.text.file = text.text("file");
        sweep.text.segments =
            text.choice("segments", "lines", {"lines", "whole"}) == "whole" ? Segmentation::Whole : Segmentation::Lines;
        sweep.text.field = text.text("field", "");
    }
    sweep.chunk = json.integer("chunk", sweep.chunk, 1, kMostTokens);
    for (const JsonObject& context : json.objects("contexts", "a context")) {
        sweep.contexts.push_back(contextOf(context));
    }
    if (json.contains("budgets")) {
        sweep.budgets = json.axis("budgets");
        if (const auto budgets = parseBudgets(sweep.budgets); !budgets) {
            json.complain("budgets", "budgets: " + budgets.refusal().message);
        }
    }
    for (const JsonObject& policy : json.objects("policies", "a policy")) {
        sweep.policies.push_back(policyOf(policy));
    }
    for (const JsonObject& evaluation : json.objects("evaluations", "an evaluation")) {
        sweep.evaluations.push_back(evaluationOf(evaluation));
    }
    sweep.repeats = static_cast<int>(json.integer("repeats", 1, 1, kMostRepeats));
    sweep.seed = static_cast<std::uint64_t>(json.integer("seed", 0, 0, std::numeric_limits<std::int64_t>::max()));
    return sweep;
}

std::string toJson(const Sweep& sweep) {
    Json json;
    json["kvist_sweep"] = 1;
    if (!sweep.name.empty()) {
        json["name"] = sweep.name;
    }
    if (!sweep.models.empty()) {
        json["model"] = sweep.models.size() == 1 ? Json(sweep.models.front()) : Json(sweep.models);
    }
    json["device"] = sweep.device;
    json["dtype"] = sweep.dtype;
    json["threads"] = sweep.threads;
    if (!sweep.text.file.empty()) {
        json["text"] = {{"file", sweep.text.file},
                        {"segments", sweep.text.segments == Segmentation::Whole ? "whole" : "lines"}};
        if (!sweep.text.field.empty()) {
            json["text"]["field"] = sweep.text.field;
        }
    }
    json["chunk"] = sweep.chunk;
    for (const SweepContext& context : sweep.contexts) {
        json["contexts"].push_back({{"warm", axisJson(context.warm)}, {"score", axisJson(context.score)}});
    }
    if (!sweep.budgets.empty()) {
        json["budgets"] = listJson(sweep.budgets);
    }
    for (const SweepPolicy& policy : sweep.policies) {
        json["policies"].push_back(policyJson(policy));
    }
    for (const SweepEvaluation& evaluation : sweep.evaluations) {
        json["evaluations"].push_back(evaluationJson(evaluation));
    }
    json["repeats"] = sweep.repeats;
    json["seed"] = sweep.seed;
    return json.dump(2) + "\n";
}

}  // namespace kvist::experiments
