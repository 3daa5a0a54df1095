// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

namespace kvist {

/// A figure over positions or steps.
struct Curve {
    std::vector<double> x;
    std::vector<double> y;

    bool operator==(const Curve&) const = default;
};

/// Everything a finished run has measured, and under which circumstances.
struct RunResult {
    std::map<std::string, double> metrics;  ///< by MetricInfo::name; absent where not measured
    std::vector<float> tokenNll;            ///< negative log likelihood of each scored token, nats
    std::vector<double> stepSeconds;        ///< every timed decode step
    /// Over the position: "nll" and, compared with the full cache, "kl" (means of blocks, nats), "delta_p_rms" and
    /// "same_top"; "kv_payload_bytes", "kv_metadata_bytes" and "policy_state_bytes".
    std::map<std::string, Curve> curves;
    /// What was written, by name: "answers" (JSON, retrieval), "continuation" and "continuation_full" (drift).
    std::map<std::string, std::string> texts;
    std::string keptDigest;  ///< hash over every plan that was applied; equal kept sets, equal digest

    std::string modelFingerprint;
    std::string tokenizer;
    std::string device;  ///< "cpu" or the GPU's name
    std::string dtype;   ///< the type that was used
    int threads = 0;
    std::string runner;  ///< "layer by layer" or "in order"
    std::string machine;
    std::string libtorchVersion;
    std::vector<std::string> notes;  ///< what a reader must know (text shorter than asked …)
};

}  // namespace kvist
