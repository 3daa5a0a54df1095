// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/time_estimator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/api/evaluation_catalog.h"
#include "engine/api/statistics.h"

namespace kvist::experiments {
namespace {

/// Reading the weights in a decode step costs about as much as reading this many tokens of the cache.
constexpr double kWeightsInTokens = 65536;

double workOf(const RunConfig& config) {
    if (!evaluationInfo(config.evaluation).isTimed) {
        const auto samples = evaluationParameter(config, "samples");
        const std::int64_t count = samples ? std::get<std::int64_t>(*samples) : 1;
        return static_cast<double>(contextTokens(config)) * static_cast<double>(count);
    }
    double steps = 0;
    for (const auto& [name, value] : config.evaluationParameters) {
        if (const auto* count = std::get_if<std::int64_t>(&value)) {
            steps += static_cast<double>(*count);
        }
    }
    const auto held = static_cast<double>(config.budget > 0 ? std::min(config.budget, config.depth) : config.depth);
    return std::max(steps, 1.0) * (kWeightsInTokens + held) + static_cast<double>(config.depth);
}

/// What must agree for two runs to go at about the same pace; without a policy, any.
std::string similarity(const RunConfig& config, const std::string& modelFingerprint, const std::string& policy) {
    std::string text = modelFingerprint;
    for (const std::string& part : {config.model.device, config.model.dtype, std::to_string(config.model.threads),
                                    config.evaluation, std::to_string(config.chunk), policy}) {
        text += '/' + part;
    }
    return text;
}

std::string methodOf(const RunConfig& config) {
    return config.store.empty() ? config.policy : config.policy + '+' + config.store;
}

}  // namespace

void TimeEstimator::add(const RunRecord& record) {
    const double seconds = record.metric("seconds");
    if (record.state != RunState::Finished || !std::isfinite(seconds)) {
        return;
    }
    const double pace = seconds / workOf(record.config);
    m_secondsPerWork[similarity(record.config, record.modelFingerprint, methodOf(record.config))].push_back(pace);
    m_secondsPerWork[similarity(record.config, record.modelFingerprint, {})].push_back(pace);
}

double TimeEstimator::seconds(const RunConfig& config, const std::string& modelFingerprint) const {
    for (const std::string& policy : {methodOf(config), std::string{}}) {
        if (const auto found = m_secondsPerWork.find(similarity(config, modelFingerprint, policy));
            found != m_secondsPerWork.end()) {
            return median(found->second) * workOf(config);
        }
    }
    return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace kvist::experiments
