// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Stream.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/kernels/step_graph.h"
#include "engine/session/bounded_slots.h"
#include "engine/session/replaced_entries.h"
#include "engine/session/session.h"

namespace kvist {

/// Decoding with full caches where the host decides nothing: which entry a token replaces, its place in the text, the
/// scores and the most probable next token are worked out on the decoder's device, in tensors of fixed shapes and
/// addresses, and read back once a step. On a CPU the session could have done the same and would have come to the
/// same bits; on a GPU its plans would wait for the device in every layer. There the step is recorded as a CUDA graph
/// after a few and then replayed; where that fails, steps go on one operation at a time.
///
/// The session is lent from the construction to finish(). Without a finish(), as after an exception, it must be reset.
class BoundedDecoder : private CacheAttention {
public:
    /// Steps before the first one that a GPU replays.
    static constexpr std::int64_t kWarmups = 3;

    /// Whether the session's next steps can be made so and it pays: on a GPU.
    static bool pays(const Session& session);

    /// Needs session.replacement(). Next tokens are among the first `vocabulary` rows of the logits.
    BoundedDecoder(Session& session, std::int64_t vocabulary);

    /// Feeds a token and returns the most probable next one. Throws EngineError(InvalidInput) for ids beyond the
    /// model's vocabulary and EngineError(Numerical) for hidden states that are not finite.
    std::int32_t step(std::int32_t token);

    /// Of the last step, [1, rows of the model's head]; the next step may write there.
    const at::Tensor& logits() const { return m_logits; }

    /// Gives the caches back; nothing else may follow. Throws EngineError(Numerical) for scores that are NaN.
    void finish();

    /// "replayed as a CUDA graph", or how else and why: for a result's notes.
    std::string manner() const;

private:
    at::Tensor attend(std::int64_t layer, const Projection& projection) override;
    void enqueue();
    void run();

    Session& m_session;
    const Decoder& m_decoder;
    const KvCache& m_cache;
    const std::int64_t m_vocabulary;
    const std::int64_t m_first;  // position of the first token
    BoundedSlots m_slots;
    const std::vector<std::int64_t> m_held;  // per KV head, beside the token
    at::Tensor m_token;                      // [1] int64
    at::Tensor m_position;                   // [1] int64
    at::Tensor m_outcome;                    // [2 + layers] int64: next token, whether all is finite, what went
    at::Tensor m_logits;
    ReplacedEntries m_steps;
    std::optional<c10::Stream> m_stream;  // of a GPU; the default one cannot be recorded
    std::unique_ptr<kernels::StepGraph> m_graph;
    std::string m_problem;  // why there is no graph
};

}  // namespace kvist
