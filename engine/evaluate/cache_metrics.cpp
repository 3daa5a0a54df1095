// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/cache_metrics.h"

#include "engine/runtime/memory_probe.h"

namespace kvist {

void addCacheMetrics(const Session& session, RunResult& result) {
    const CacheStats live = session.stats();
    const CacheStats peak = session.timeline().peak();
    auto& metrics = result.metrics;
    metrics["kv_payload_bytes"] = static_cast<double>(live.payload);
    if (const auto expected = session.expectedPayload()) {
        metrics["kv_payload_estimate_bytes"] = static_cast<double>(*expected);
    }
    metrics["kv_payload_peak_bytes"] = static_cast<double>(std::max(peak.payload, live.payload));
    metrics["kv_metadata_bytes"] = static_cast<double>(std::max(peak.metadata, live.metadata));
    metrics["policy_state_bytes"] = static_cast<double>(std::max(peak.policyState, live.policyState));
    metrics["kv_allocated_bytes"] = static_cast<double>(std::max(peak.allocated, live.allocated));
    metrics["kv_read_bytes_per_step"] = static_cast<double>(live.read);
    if (live.recoded > 0) {
        metrics["kv_recoded_rows"] = static_cast<double>(live.recoded);
    }
    metrics["process_peak_bytes"] = static_cast<double>(peakMemory());
}

std::string runnerOf(const Session& session) {
    return session.runsLayerByLayer() ? "layer by layer" : "in order";
}

}  // namespace kvist
