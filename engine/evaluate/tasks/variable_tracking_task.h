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
    using TaskBuilder::TaskBuilder;

    TaskSample build(std::int64_t number) const override;
};

}  // namespace kvist
