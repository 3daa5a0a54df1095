// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "engine/evaluate/logit_blocks.h"

namespace kvist {

/// How other predictions differ from logged ones, token by token; p is logged, q is not.
struct PredictionDifferences {
    std::vector<float> kl;      ///< KL(p ‖ q) = Σ p (ln p − ln q), nats, as llama.cpp's perplexity tool defines it
    std::vector<float> deltaP;  ///< q − p of the token that follows
    std::vector<float> sameTop;  ///< 1 where both find the same token the most probable, else 0

    void append(const PredictionDifferences& more);
};

/// Next-token predictions of a whole text, kept compactly. Up to kDenseVocabulary tokens every log-probability is
/// kept as float16; of larger vocabularies the kTop most probable ones, and the sum of the others in float32: the
/// KL of what is kept apart is then a lower bound of the whole (log sum inequality). What follows, its probability and
/// the most probable token are exact. Rows are normalised when they are read, so that rounding gives no KL below 0.
class PredictionLog {
public:
    static constexpr std::int64_t kDenseVocabulary = 16384;
    static constexpr std::int64_t kTop = 1024;

    /// Entries kept of each row of such a vocabulary; 0: all.
    static std::int64_t usualTop(std::int64_t vocabulary) { return vocabulary > kDenseVocabulary ? kTop : 0; }

    /// Room for `rows` rows. `top` as usualTop().
    PredictionLog(std::int64_t rows, std::int64_t vocabulary, std::int64_t top);

    /// Logs the block's rows after those that are there.
    void append(const LogitBlock& block);

    /// The block's rows against logged rows first, first + 1, …
    PredictionDifferences compare(const LogitBlock& block, std::int64_t first) const;

    std::int64_t rows() const { return m_best.size(0); }
    std::int64_t logged() const { return m_logged; }
    std::int64_t vocabulary() const { return m_vocabulary; }
    std::int64_t top() const { return m_top; }
    std::int64_t bytes() const;

    /// What holds the log, contiguous on the CPU: for files. Who fills them calls setLogged().
    std::vector<at::Tensor> tensors() const { return {m_rows, m_ids, m_rest, m_right, m_best}; }
    void setLogged(std::int64_t rows) { m_logged = rows; }

private:
    std::int64_t m_vocabulary;
    std::int64_t m_top;
    std::int64_t m_logged = 0;
    at::Tensor m_rows;   // [rows, top or vocabulary] float16, log-probabilities
    at::Tensor m_ids;    // [rows, top] int32
    at::Tensor m_rest;   // [rows] float32, log of the sum of the others; [0] where all are kept
    at::Tensor m_right;  // [rows] float32, log-probability of what follows
    at::Tensor m_best;   // [rows] int32
};

}  // namespace kvist
