// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/tasks/task_builder.h"

#include "engine/evaluate/tasks/needle_task.h"
#include "engine/evaluate/tasks/variable_tracking_task.h"

namespace kvist {

std::unique_ptr<TaskBuilder> makeTaskBuilder(const TaskSettings& settings, const Tokenizer& tokenizer,
                                             const Haystack& haystack) {
    if (settings.task == "variable-tracking") {
        return std::make_unique<VariableTrackingTask>(settings, tokenizer, haystack);
    }
    return std::make_unique<NeedleTask>(settings, tokenizer, haystack);
}

}  // namespace kvist
