// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "experiments/run_record.h"
#include "experiments/store_connection.h"

namespace kvist::experiments {

/// Reads runs. Figures that refer to the full cache (delta_nll, its standard errors, perplexity_ratio) are computed
/// here, from the paired difference to the per-token NLLs of the newest finished baseline with as many tokens. Lives as
/// long and in the thread of its connection; throws StoreError.
class RunQuery {
public:
    explicit RunQuery(StoreConnection& connection) : m_connection(connection) {}

    /// All runs that were not removed, oldest first.
    std::vector<RunRecord> all();

    std::vector<RunRecord> withIds(const std::vector<RunId>& ids);

    /// The runs that refer to this baseline, and the baseline itself.
    std::vector<RunRecord> comparedWith(const std::string& baselineKey);

    /// Empty for a run that has not finished.
    RunDetails details(RunId id);

private:
    std::vector<RunRecord> where(const QString& condition, const QVariantList& values);
    void readMetrics(RunRecord& record);
    void compare(std::vector<RunRecord>& records);
    std::vector<float> tokenNll(RunId id);
    std::vector<float> baselineNll(const std::string& key);

    StoreConnection& m_connection;
};

}  // namespace kvist::experiments
