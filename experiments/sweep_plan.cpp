// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/sweep_plan.h"

#include <algorithm>

#include "engine/api/dtype.h"

namespace kvist::experiments {
namespace {

bool isNew(const PlannedRun& run) {
    return run.isRunnable() && run.storedId == 0;
}

template <typename Predicate>
std::size_t count(const std::vector<PlannedRun>& runs, Predicate predicate) {
    return static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), predicate));
}

}  // namespace

std::size_t SweepPlan::storedCount() const {
    return count(runs, [](const PlannedRun& run) { return run.storedId != 0; });
}

std::size_t SweepPlan::refusedCount() const {
    return count(runs, [](const PlannedRun& run) { return !run.isRunnable(); });
}

std::size_t SweepPlan::newCount() const {
    return count(runs, isNew);
}

std::size_t SweepPlan::addedBaselineCount() const {
    return count(runs, [](const PlannedRun& run) { return run.isAddedBaseline && isNew(run); });
}

std::int64_t SweepPlan::largestKvBytes() const {
    std::int64_t largest = 0;
    for (const PlannedRun& run : runs) {
        largest = run.isRunnable() ? std::max(largest, run.kvBytes) : largest;
    }
    return largest;
}

std::int64_t SweepPlan::largestMemory() const {
    std::int64_t largest = 0;
    for (const PlannedRun& run : runs) {
        const auto model = models.find(run.config.model.path);
        if (run.isRunnable() && model != models.end()) {
            const std::string dtype = resolvedDtype(run.config.model, model->second, machine);
            const int size = dtype == kEightBitWeights ? 1 : elementSize(dtype);
            largest = std::max(largest, model->second.parameters * size + run.kvBytes);
        }
    }
    return largest;
}

double SweepPlan::secondsToMeasure(bool repeatsStored) const {
    double seconds = 0;
    for (const PlannedRun& run : runs) {
        seconds += isNew(run) || (repeatsStored && run.isRunnable()) ? run.seconds : 0;
    }
    return seconds;
}

}  // namespace kvist::experiments
