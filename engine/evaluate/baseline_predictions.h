// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/api/run_observer.h"
#include "engine/evaluate/prediction_store.h"
#include "engine/model/model_loader.h"

namespace kvist {

/// Predictions of the full cache for tokens warm + 1 … of a text, which differences refer to: from the store, or by
/// feeding the text once, and then kept there.
class BaselinePredictions {
public:
    explicit BaselinePredictions(PredictionStore store) : m_store(std::move(store)) {}

    /// One row for each of the tokens after `warm` but the last. Adds to `notes` where they come from. Reports
    /// RunPhase::Baseline while they are made.
    PredictionLog obtain(const LoadedModel& model, std::span<const std::int32_t> tokens, std::int64_t warm,
                         RunObserver& observer, const std::stop_token& stop, std::vector<std::string>& notes) const;

    /// What the predictions depend on: model, type, device, tokens and the first one that counts.
    static std::string keyOf(const LoadedModel& model, std::span<const std::int32_t> tokens, std::int64_t warm);

private:
    PredictionStore m_store;
};

}  // namespace kvist
