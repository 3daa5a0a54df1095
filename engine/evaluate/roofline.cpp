// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/roofline.h"

#include <algorithm>
#include <cstdint>

#include "engine/session/session.h"

namespace kvist {

StepDemand demandOf(const Session& session) {
    const KvCache& cache = session.cache();
    const ModelConfig& config = session.decoder().config();
    std::int64_t entries = 0;  // of all layers and KV heads
    for (std::int64_t layer = 0; layer < cache.shape().layers; ++layer) {
        entries += cache.layer(layer).totalHeld();
    }
    // Logit and weighted sum: two multiplications and two additions.
    const std::int64_t operations = 4 * config.headDim * config.queryHeads / config.kvHeads * entries;
    return {static_cast<double>(session.decoder().weightBytesPerStep()), static_cast<double>(session.stats().read),
            static_cast<double>(operations)};
}

double leastSeconds(const StepDemand& demand, const MachineRates& rates) {
    return demand.weightBytes / rates.bytesPerSecond +
           std::max(demand.entryBytes / rates.bytesPerSecond, demand.attentionOperations / rates.operationsPerSecond);
}

}  // namespace kvist
