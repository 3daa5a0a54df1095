// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/api/evaluation_catalog.h"
#include "engine/api/run_config.h"
#include "engine/api/run_result.h"
#include "experiments/run_state.h"

namespace kvist::experiments {

/// One run as table, charts, details and CSV show it: what was asked, what came out, where and when.
/// Figures that refer to the full-cache baseline (delta_nll …) are among the metrics once it is stored.
struct RunRecord {
    RunId id = 0;
    RunState state = RunState::Queued;
    std::string key;          ///< hash of everything that defines the measurement (run_key.h)
    std::string baselineKey;  ///< key of the full-cache run that differences refer to; equals `key` for it
    std::string sweep;        ///< name of the sweep that asked for it
    RunConfig config;         ///< resolved: absolute paths, type, device, complete parameters

    std::string modelName;
    std::string modelFingerprint;
    std::string textHash;  ///< SHA-256 of the text file; empty without a text

    std::map<std::string, double> metrics;  ///< by MetricInfo::name; absent where not measured, never NaN
    std::vector<std::string> notes;
    std::string errorKind;     ///< toString(ErrorKind) of a failed run
    std::string errorMessage;  ///< for a person, with the remedy

    std::string startedAt;  ///< ISO 8601, UTC; empty before the start
    std::string device;     ///< as used
    std::string dtype;
    int threads = 0;
    std::string runner;
    std::string tokenizer;
    std::string keptDigest;
    std::string machine;
    std::string programVersion;
    std::string libtorchVersion;

    bool operator==(const RunRecord&) const = default;

    bool isBaseline() const { return key == baselineKey; }
    /// Tokens of context: all that the run reads (contextTokens).
    std::int64_t context() const { return contextTokens(config); }
    /// Entries are held as codes: by a store, or by a policy that is one.
    bool isCoded() const;
    /// Bytes of keys and values at their peak, NaN where not measured; of codes with their scales and positions, since
    /// codes are worth nothing without.
    double heldBytes() const;
    /// Likewise, when the run ended.
    double leftBytes() const;
    /// The figure, or NaN where it was not measured.
    double metric(const std::string& name) const;

private:
    double withScales(double payload) const;
};

/// The long parts of a finished run, read when asked for.
struct RunDetails {
    std::vector<float> tokenNll;
    std::vector<double> stepSeconds;
    std::map<std::string, Curve> curves;
    std::map<std::string, std::string> texts;  ///< what was written (RunResult::texts)

    bool operator==(const RunDetails&) const = default;
};

}  // namespace kvist::experiments
