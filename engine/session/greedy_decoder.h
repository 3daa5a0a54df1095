// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "engine/session/session.h"
#include "engine/text/tokenizer.h"

namespace kvist {

/// Goes on from what a session was fed by taking the most probable token each time.
class GreedyDecoder {
public:
    GreedyDecoder(Session& session, const Tokenizer& tokenizer) : m_session(session), m_tokenizer(tokenizer) {}

    /// Up to `count` tokens after the last row of `hidden`, which feed() returned; each but the last one is fed. Ends
    /// before the model's end-of-text token, and after a token at which `goesOn` says no.
    std::vector<std::int32_t> continueFrom(
        at::Tensor hidden, std::int64_t count, const std::stop_token& stop,
        const std::function<bool(std::int32_t)>& goesOn = [](std::int32_t) { return true; });

private:
    bool isEnd(std::int32_t token) const;
    std::int32_t mostProbable(const at::Tensor& hidden) const;

    Session& m_session;
    const Tokenizer& m_tokenizer;
};

}  // namespace kvist
