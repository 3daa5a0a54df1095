// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/run_key.h"

#include <QCryptographicHash>

#include "engine/api/evaluation_catalog.h"
#include "experiments/run_config_json.h"

namespace kvist::experiments {

std::string runKey(const RunConfig& config, const std::string& modelFingerprint, const std::string& textHash) {
    nlohmann::json json = toJson(config);
    json["model"] = modelFingerprint;
    json["text"] = textHash;
    json["version"] = kEvaluationVersion;
    if (!evaluationInfo(config.evaluation).isTimed) {
        json.erase("threads");
    }
    const std::string canonical = json.dump();
    return QCryptographicHash::hash(QByteArray::fromStdString(canonical), QCryptographicHash::Sha256)
        .toHex()
        .toStdString();
}

bool isBaseline(const RunConfig& config) {
    return config.policy == kFullPolicy && config.store.empty();
}

RunConfig baselineOf(const RunConfig& config) {
    RunConfig baseline = config;
    baseline.policy = kFullPolicy;
    baseline.policyParameters.clear();
    baseline.store.clear();
    baseline.storeParameters.clear();
    baseline.budget = 0;
    baseline.evaluationParameters.erase("divergence");  // of the full cache from itself there is none
    return baseline;
}

}  // namespace kvist::experiments
