// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/evaluate/tasks/hidden_text.h"
#include "engine/evaluate/tasks/keyed_draws.h"
#include "engine/evaluate/tasks/task_sample.h"
#include "engine/evaluate/tasks/task_settings.h"

namespace kvist {

/// What a task says around and in its haystack.
struct TaskText {
    std::string introduction;        ///< before the haystack
    std::vector<HiddenPiece> asked;  ///< pieces whose places the sample tells
    std::vector<HiddenPiece> others;
    std::string question;
    std::string answerBegin;  ///< what the answer goes on from
};

/// The depth of a piece: the one that was set, or one drawn.
double depthOf(const TaskSettings& settings, const KeyedDraws& draws, std::int64_t index);

/// Fills the haystack up to the length and puts everything in its place; `expected` is left to the caller. Throws
/// EngineError(InvalidInput) with the least length that this task can have.
TaskSample sampleOf(const TaskText& text, const TaskSettings& settings, const Tokenizer& tokenizer,
                    const Haystack& haystack, const KeyedDraws& draws);

}  // namespace kvist
