// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/metric_catalog.h"

#include "engine/api/engine_error.h"

namespace kvist {

const std::vector<MetricInfo>& metricCatalog() {
    static const std::vector<MetricInfo> catalog = {
        {"nll", "Mean NLL", "nats", "Mean negative log likelihood of the scored tokens."},
        {"nll_stderr", "Standard error of the NLL", "nats", "Tokens taken as independent."},
        {"nll_stderr_block", "Standard error of the NLL, blocks", "nats",
         "Block bootstrap with blocks of 64 tokens: neighbours of a text depend on each other."},
        {"perplexity", "Perplexity", "", "exp of the mean NLL."},
        {"perplexity_stderr", "Standard error of the perplexity", "", "Perplexity × standard error of the NLL."},
        {"delta_nll", "ΔNLL to the full cache", "nats", "Mean paired difference to the full cache on the same tokens."},
        {"delta_nll_stderr", "Standard error of ΔNLL", "nats", "Standard error of the paired differences."},
        {"retrieval_accuracy", "Retrieval accuracy", "", "Share of the hidden facts that the answers hold."},
        {"delta_nll_stderr_block", "Standard error of ΔNLL, blocks", "nats",
         "Of the paired differences, by block bootstrap with blocks of 64 tokens."},
        {"perplexity_ratio", "Perplexity ratio", "",
         "Perplexity over the full cache's on the same tokens: exp of ΔNLL."},
        {"kl_mean", "KL to the full cache", "nats",
         "Mean over the scored tokens of KL(full cache ‖ policy) of the predictions."},
        {"kl_median", "KL, median", "nats", "Half of the tokens diverge less than this."},
        {"kl_p99", "KL, 99th percentile", "nats", "One token in a hundred diverges more than this."},
        {"delta_p_rms", "Δp of the right token, RMS", "",
         "Root mean square of how much the probability of the token that follows changes against the full cache."},
        {"same_top", "Same top choice", "", "Share of tokens where both find the same token the most probable."},
        {"kv_payload_bytes", "KV payload", "B", "Live key and value entries at the end of the run."},
        {"kv_payload_estimate_bytes", "KV payload, estimate", "B",
         "What follows from budget and tokens alone, beside what was measured at the end of the run."},
        {"kv_payload_peak_bytes", "KV payload, peak", "B", "Most that the entries took at any time."},
        {"kv_metadata_bytes", "KV metadata", "B", "Positions and order of the entries, at the peak."},
        {"policy_state_bytes", "Policy state", "B", "Scores and other state of the policy, at the peak."},
        {"kv_read_bytes_per_step", "KV read per step", "B",
         "Key and value bytes that one decode step reads, at the end."},
        {"kv_allocated_bytes", "KV allocated", "B", "Memory taken for the cache, at the peak."},
        {"process_peak_bytes", "Process peak", "B", "Largest resident set of the whole process so far."},
        {"prefill_tok_s", "Prefill speed", "tok/s", "Tokens fed per second before the first scored or decoded one."},
        {"ttft_s", "Time to first token", "s",
         "From the first fed token of a prompt to the first one that is generated."},
        {"decode_depth", "Depth", "tokens", "Tokens seen before the timed steps."},
        {"decode_tok_s_median", "Decode speed", "tok/s", "1 / median time of a step."},
        {"decode_tok_s_mean", "Decode speed, mean", "tok/s", "Mean over the steps of 1 / time."},
        {"decode_tok_s_sd", "Deviation of the decode speed", "tok/s", "Sample standard deviation over the steps."},
        {"decode_ms_p90", "Step time, 90th percentile", "ms", "Nine in ten steps were at most this slow."},
        {"read_bandwidth_bytes_s", "Read bandwidth", "B/s", "Plain reads of memory, measured in the same process."},
        {"roofline_tok_s", "Roofline", "tok/s",
         "1 / least time of a step: weights over the read bandwidth, attention by the slower of reading and "
         "arithmetic; "
         "none where both fit the CPU's cache."},
        {"seconds", "Duration", "s", "Wall time of the run without loading the model."},
        {"retrieval_accuracy_low", "Retrieval accuracy, at least", "",
         "Lower end of Wilson's 95 % interval; the facts taken as independent."},
        {"retrieval_accuracy_high", "Retrieval accuracy, at most", "",
         "Upper end of Wilson's 95 % interval; the facts taken as independent."},
        {"drift_first_divergence", "First difference", "tokens",
         "Tokens written as the full cache writes them before the first other one; none where all are equal."},
        {"drift_equal_share", "Equal tokens", "", "Share of places where both texts have the same token."},
        {"kv_recoded_rows", "Coded anew", "",
         "Keys or values of a head that were decoded and coded again, since entries beside them had gone or merged."},
        {"policy_ms_per_step", "Policy time per step", "ms",
         "What observing, planning and evicting take of a decode step."},
        {"arithmetic_flop_s", "Arithmetic rate", "FLOP/s",
         "Multiplications and additions in float32 vectors without memory, measured in the same process."},
    };
    return catalog;
}

const MetricInfo& metricInfo(const std::string& name) {
    for (const MetricInfo& info : metricCatalog()) {
        if (info.name == name) {
            return info;
        }
    }
    throw EngineError(ErrorKind::Internal, "there is no metric " + name);
}

}  // namespace kvist
