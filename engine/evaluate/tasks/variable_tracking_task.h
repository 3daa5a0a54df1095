// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluate/tasks/task_builder.h"

namespace kvist {

/// Variable tracking in RULER's words (Hsieh et al. 2024, arXiv 2404.06654, section 3.2): a number is assigned to a
/// variable, that one to the next, and so on over the hops; all names that hold the number are asked for. A short
/// worked example stands before the text. The assignments stand in their order, at the depth that was set or at drawn
/// ones.
class VariableTrackingTask : public TaskBuilder {
public:
    VariableTrackingTask(const TaskSettings& settings, const Tokenizer& tokenizer, const Haystack& haystack)
        : m_settings(settings), m_tokenizer(tokenizer), m_haystack(haystack) {}

    TaskSample build(std::int64_t number) const override;

private:
    TaskSettings m_settings;
    const Tokenizer& m_tokenizer;
    const Haystack& m_haystack;
};

}  // namespace kvist
