// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kvist {

class Session;

/// What a decode step cannot do without.
struct StepDemand {
    double weightBytes = 0;
    double entryBytes = 0;           ///< keys, values and their scales
    double attentionOperations = 0;  ///< a multiplication and an addition for each component, query head and entry
};

/// What a machine gives, measured in one process.
struct MachineRates {
    double bytesPerSecond = 0;
    double operationsPerSecond = 0;  ///< float32
};

/// Of the next token that the session is fed.
StepDemand demandOf(const Session& session);

/// Seconds that a step takes at least: matrix-vector products are bound by reading their weights, attention by the
/// slower of reading the entries and computing with them.
double leastSeconds(const StepDemand& demand, const MachineRates& rates);

}  // namespace kvist
