// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/jointly_scored_policy.h"

#include <algorithm>

#include "engine/api/engine_error.h"

namespace kvist {

JointlyScoredPolicy::JointlyScoredPolicy(std::unique_ptr<Scorer> scorer, const Protection& protection)
    : m_scorer(std::move(scorer)), m_protection(protection) {
    m_protection.recent = std::max(m_protection.recent, m_scorer->window());
}

EvictionPlan JointlyScoredPolicy::plan(const LayerView&, const PlanContext&) {
    throw EngineError(ErrorKind::Internal, "layers that are judged together are planned together");
}

}  // namespace kvist
