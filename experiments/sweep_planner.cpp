// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/sweep_planner.h"

#include <algorithm>
#include <unordered_set>

#include "engine/api/dtype.h"
#include "engine/api/engine_error.h"
#include "engine/api/text_field.h"
#include "experiments/run_key.h"
#include "experiments/sweep_axes.h"

namespace kvist::experiments {
namespace {

/// Collects the runs of one plan.
class PlanMaker {
public:
    PlanMaker(const Sweep& sweep, const PlanFacts& facts) : m_sweep(sweep), m_facts(facts), m_axes(axesOf(sweep)) {}

    SweepPlan make() {
        checkFixedValues();
        m_plan.sweep = m_sweep;
        m_plan.machine = m_facts.machine;
        for (const ModelInfo& model : m_facts.models) {
            m_plan.models[model.path] = model;
            for (int repeat = 0; repeat < m_sweep.repeats; ++repeat) {
                for (const SweepAxes::Evaluation& evaluation : m_axes.evaluations) {
                    addEvaluation(model, repeat, evaluation);
                }
            }
        }
        return std::move(m_plan);
    }

private:
    void checkFixedValues() const {
        if (m_facts.models.empty()) {
            throw RefusedInput("model", "no model chosen; choose a model folder");
        }
        if (m_sweep.device == "cuda" && m_facts.machine.gpus.empty()) {
            throw RefusedInput("device", "cuda: there is no usable GPU here; choose cpu or auto");
        }
        const auto usesText = [](const SweepAxes::Evaluation& e) { return e.info->usesText; };
        if (m_facts.textFile.empty() && std::any_of(m_axes.evaluations.begin(), m_axes.evaluations.end(), usesText)) {
            throw RefusedInput("text.file", "no text chosen; choose a text file to score");
        }
        if (m_sweep.chunk < 1) {
            throw RefusedInput("chunk", "a chunk is at least 1 token");
        }
        if (m_sweep.repeats < 1) {
            throw RefusedInput("repeats", "at least 1 repetition");
        }
    }

    void addEvaluation(const ModelInfo& model, int repeat, const SweepAxes::Evaluation& evaluation) {
        RunConfig config;
        config.model = {model.path, m_sweep.device, m_sweep.dtype, m_sweep.threads};
        config.model.dtype = resolvedDtype(config.model, model, m_facts.machine);
        config.model.device = usesCuda(config.model, m_facts.machine) ? "cuda" : "cpu";
        config.model.threads = m_sweep.threads > 0 ? m_sweep.threads : m_facts.machine.cores;
        if (evaluation.info->usesText) {
            config.text = {m_facts.textFile, m_sweep.text.segments, m_sweep.text.field};
            config.text.field = textField(config.text);
        }
        config.evaluation = evaluation.info->id;
        config.chunk = m_sweep.chunk;
        config.seed = m_sweep.seed;
        config.repeat = repeat;
        for (const ParameterMap& parameters : evaluation.parameters) {
            config.evaluationParameters = parameters;
            for (const auto& [warm, score, depth] : evaluation.contexts) {
                config.warm = warm;
                config.score = score;
                config.depth = depth;
                addGroup(model, config);
            }
        }
    }

    /// The baseline and all that is compared with it.
    void addGroup(const ModelInfo& model, const RunConfig& config) {
        std::vector<PlannedRun> runs;
        bool isFullAsked = false;
        for (const SweepAxes::Policy& policy : m_axes.policies) {
            isFullAsked = isFullAsked || (policy.info->id == kFullPolicy && policy.store.empty());
            addPolicy(runs, model, config, policy);
        }
        const bool isNeeded = std::any_of(runs.begin(), runs.end(), [](const auto& run) { return run.isRunnable(); });
        if (isFullAsked || isNeeded) {
            PlannedRun baseline = planned(model, baselineOf(config));
            baseline.isAddedBaseline = !isFullAsked;
            append(std::move(baseline));
        }
        for (PlannedRun& run : runs) {
            append(std::move(run));
        }
    }

    void addPolicy(std::vector<PlannedRun>& runs, const ModelInfo& model, RunConfig config,
                   const SweepAxes::Policy& policy) {
        config.policy = policy.info->id;
        config.store = policy.store;
        for (const ParameterMap& parameters : policy.parameters) {
            config.policyParameters = parameters;
            for (const ParameterMap& storeParameters : policy.storeParameters) {
                config.storeParameters = storeParameters;
                addBudgets(runs, model, config, *policy.info);
            }
        }
    }

    void addBudgets(std::vector<PlannedRun>& runs, const ModelInfo& model, RunConfig config, const PolicyInfo& policy) {
        if (!policy.usesBudget) {
            if (!isBaseline(config)) {
                runs.push_back(planned(model, config));
            }
            return;
        }
        for (const Budget& budget : m_axes.budgets) {
            const auto entries =
                budget.entries({contextTokens(config), model.kvBytesPerToken(elementSize(config.model.dtype))});
            config.budget = entries ? *entries : 0;
            runs.push_back(planned(model, config));
            runs.back().refusal = entries ? refusalOf(config) : entries.refusal().message;
        }
    }

    static std::string refusalOf(const RunConfig& config) {
        try {
            checkBudget(config.policy, config.policyParameters, config.budget);
            checkProtocol(config);
            return {};
        } catch (const EngineError& error) {
            return error.what();
        }
    }

    PlannedRun planned(const ModelInfo& model, const RunConfig& config) const {
        PlannedRun run;
        run.config = config;
        run.modelName = model.name;
        run.modelFingerprint = model.fingerprint;
        run.textHash = config.text.file.empty() ? std::string{} : m_facts.textHash;
        run.key = runKey(config, model.fingerprint, run.textHash);
        run.baselineKey = runKey(baselineOf(config), model.fingerprint, run.textHash);
        const auto stored = m_facts.stored.find(run.key);
        run.storedId = stored == m_facts.stored.end() ? 0 : stored->second;
        const std::int64_t context = contextTokens(config);
        const std::int64_t held = config.budget > 0 ? std::min(config.budget, context) : context;
        run.kvBytes = heldBytes(config, model, elementSize(config.model.dtype), held);
        run.seconds = m_facts.estimator.seconds(config, model.fingerprint);
        return run;
    }

    void append(PlannedRun run) {
        if (m_keys.insert(run.key).second) {
            m_plan.runs.push_back(std::move(run));
        } else {
            ++m_plan.duplicates;
        }
    }

    const Sweep& m_sweep;
    const PlanFacts& m_facts;
    const SweepAxes m_axes;
    SweepPlan m_plan;
    std::unordered_set<std::string> m_keys;
};

}  // namespace

Result<SweepPlan> makePlan(const Sweep& sweep, const PlanFacts& facts) {
    try {
        return PlanMaker(sweep, facts).make();
    } catch (const RefusedInput& refused) {
        return refused.refusal();
    } catch (const EngineError& error) {
        return Refusal{"dtype", error.what()};
    }
}

}  // namespace kvist::experiments
