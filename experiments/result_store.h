// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/api/engine_error.h"
#include "engine/api/run_result.h"
#include "experiments/owner_lock.h"
#include "experiments/run_state.h"
#include "experiments/store_connection.h"
#include "experiments/sweep.h"
#include "experiments/sweep_plan.h"

namespace kvist::experiments {

/// Writes runs into an SQLite file (RunQuery reads them). Every call is one transaction and on the disk when
/// it returns. Lives in one thread. All members throw StoreError.
///
/// A figure that was not measured has no row; NaN is taken as not measured. Curves and per-token figures are
/// blobs and keep NaN.
class ResultStore {
public:
    /// Opens or creates the file and brings it to the newest layout. Runs that a dead program left queued or
    /// running become Interrupted; those of programs that are alive are left alone.
    explicit ResultStore(const std::string& path);

    StoreConnection& connection() { return m_connection; }

    /// Puts the runs in the store as Queued, refused ones as Failed with their reason, all for this program. A run
    /// that failed, was cancelled or interrupted earlier is taken up again under its number; one that this
    /// program has pending keeps it. Returns the numbers, one per run.
    std::vector<RunId> add(const Sweep& sweep, const std::vector<PlannedRun>& runs);

    /// Queued → Running. False where the run is not queued for this program.
    bool begin(RunId id, const std::string& startedAt);

    /// Running → Finished, with everything that was measured.
    void finish(RunId id, const RunResult& result, const std::string& programVersion);

    /// → Failed, with the reason.
    void fail(RunId id, ErrorKind kind, const std::string& message);

    /// Pending runs of this program → Cancelled or Interrupted.
    void end(const std::vector<RunId>& ids, RunState state);

    /// Failed, cancelled or interrupted runs, and those that this program could not bring to an end, → Queued for
    /// this program. Returns the runs that were so.
    std::vector<RunId> requeue(const std::vector<RunId>& ids);

    /// Takes runs that are not queued or running out of all queries, or brings them back. What is out when the store is
    /// opened the next time is deleted then.
    void setRemoved(const std::vector<RunId>& ids, bool isRemoved);

    /// Writes all that is stored to another file, which is replaced as a whole where it is there.
    void copyTo(const std::string& path);

private:
    void interruptAbandoned();
    RunId addRun(qint64 sweepId, const PlannedRun& run);
    RunId reusable(const std::string& key);

    StoreConnection m_connection;
    OwnerLock m_owner;
};

}  // namespace kvist::experiments
