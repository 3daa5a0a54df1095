// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>

#include "engine/evaluate/logit_blocks.h"
#include "engine/session/session.h"

namespace kvist {

/// Feeds a text that is known beforehand to a session, in segments, and hands on the predictions of tokens
/// warm + 1 … : of n tokens n − 1 are fed. Where the session's protocol holds a prompt, that is the first `warm`
/// tokens, and it ends before the next one is fed. Segments change nothing but the speed.
struct TextFeed {
    /// Tokens that go through the decoder together at most: matrix products are at their full rate, and the live curve
    /// still moves.
    static constexpr std::int64_t kSegment = 512;

    Session& session;
    std::span<const std::int32_t> tokens;
    std::int64_t warm = 0;
    std::stop_token stop = {};
    /// After every layer of a segment; tokens.
    std::function<void(std::int64_t done)> onProgress = [](std::int64_t) {};
    /// In order of position.
    std::function<void(const LogitBlock&)> onPredictions = [](const LogitBlock&) {};
    /// After the segment's predictions.
    std::function<void(std::int64_t end)> onSegment = [](std::int64_t) {};
    /// Before the first prediction, where warm > 0.
    std::function<void(std::int64_t fed)> onWarm = [](std::int64_t) {};

    void run() const;

private:
    at::Tensor feed(std::int64_t start, std::int64_t end) const;
    void predict(const at::Tensor& hidden, std::int64_t start, std::int64_t end) const;
};

}  // namespace kvist
