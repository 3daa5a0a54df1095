// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unordered_map>
#include <vector>

#include "experiments/run_record.h"
#include "experiments/time_estimator.h"

namespace kvist::experiments {

/// The records of a store in memory, found by number and by key; lives in one thread.
class RunTable {
public:
    void reset(std::vector<RunRecord> records);

    /// Puts a record in the place of the one with its number, or at the end.
    void put(RunRecord record);

    const std::vector<RunRecord>& all() const { return m_records; }
    /// Null for an unknown number.
    const RunRecord* find(RunId id) const;
    RunRecord* find(RunId id);

    /// The newest finished run of each key.
    const std::unordered_map<std::string, RunId>& finished() const { return m_finished; }
    /// What the finished runs say about time.
    const TimeEstimator& estimator() const { return m_estimator; }

private:
    void learn(const RunRecord& record);

    std::vector<RunRecord> m_records;
    std::unordered_map<RunId, std::size_t> m_places;
    std::unordered_map<std::string, RunId> m_finished;
    TimeEstimator m_estimator;
};

}  // namespace kvist::experiments
