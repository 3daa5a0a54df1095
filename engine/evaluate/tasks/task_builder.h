// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>

#include "engine/evaluate/tasks/haystack.h"
#include "engine/evaluate/tasks/task_sample.h"
#include "engine/evaluate/tasks/task_settings.h"
#include "engine/text/tokenizer.h"

namespace kvist {

/// Builds the samples of one retrieval task. Every draw is keyed by the seed and the sample's number, so that a
/// sample does not depend on which others were built.
class TaskBuilder {
public:
    /// `tokenizer` and `haystack` must outlive the builder.
    TaskBuilder(const TaskSettings& settings, const Tokenizer& tokenizer, const Haystack& haystack)
        : m_settings(settings), m_tokenizer(tokenizer), m_haystack(haystack) {}
    virtual ~TaskBuilder() = default;

    /// A sample whose context and question take exactly length − answer tokens. Throws EngineError(InvalidInput)
    /// with the least length where too little is left for the haystack.
    virtual TaskSample build(std::int64_t number) const = 0;

protected:
    const TaskSettings m_settings;
    const Tokenizer& m_tokenizer;
    const Haystack& m_haystack;
};

/// The builder of settings.task.
std::unique_ptr<TaskBuilder> makeTaskBuilder(const TaskSettings& settings, const Tokenizer& tokenizer,
                                             const Haystack& haystack);

}  // namespace kvist
