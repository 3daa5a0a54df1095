// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/plan_worker.h"

#include <algorithm>

#include "engine/api/evaluation_catalog.h"
#include "experiments/sweep_file.h"

namespace kvist::experiments {
namespace {

bool usesText(const Sweep& sweep) {
    return std::any_of(sweep.evaluations.begin(), sweep.evaluations.end(),
                       [](const SweepEvaluation& evaluation) { return evaluationInfo(evaluation.id).usesText; });
}

}  // namespace

PlanWorker::PlanWorker(EngineSource& engine, Mailbox& mailbox, std::string resources)
    : m_engine(engine), m_mailbox(mailbox), m_resources(std::move(resources)), m_thread("planner") {}

PlanWorker::~PlanWorker() {
    m_plan.request_stop();
}

void PlanWorker::plan(std::uint64_t request, const Sweep& sweep, PlanFacts known) {
    m_plan.request_stop();
    m_plan = {};
    m_thread.post([this, request, sweep, facts = std::move(known), stop = m_plan.get_token()]() mutable {
        if (stop.stop_requested()) {
            return;
        }
        auto result = planned(sweep, facts, stop);
        if (stop.stop_requested()) {
            return;
        }
        if (result) {
            SweepPlan plan = *std::move(result);
            plan.request = request;
            m_mailbox.post(Planned{std::move(plan)});
        } else {
            m_mailbox.post(PlanRefused{request, result.refusal().key, result.refusal().message});
        }
    });
}

Result<SweepPlan> PlanWorker::planned(const Sweep& sweep, PlanFacts& facts, std::stop_token stop) {
    try {
        Engine& engine = m_engine.engine();
        facts.machine = engine.machine();
        for (const std::string& model : sweep.models) {
            facts.models.push_back(
                engine.inspect(valueOrThrow(resolvedPath(model, sweep.folder, m_resources), "model"), stop));
        }
    } catch (const RefusedInput& refused) {
        return refused.refusal();
    } catch (const std::exception& error) {
        return Refusal{"model", error.what()};
    }
    try {
        if (usesText(sweep) && !sweep.text.file.empty()) {
            facts.textFile = valueOrThrow(resolvedPath(sweep.text.file, sweep.folder, m_resources), "text.file");
            facts.textHash = valueOrThrow(m_hash.of(facts.textFile, stop), "text.file");
        }
        return makePlan(sweep, facts);
    } catch (const RefusedInput& refused) {
        return refused.refusal();
    } catch (const std::exception& error) {
        return Refusal{"evaluations", error.what()};
    }
}

}  // namespace kvist::experiments
