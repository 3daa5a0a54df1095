// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluate/tasks/task_builder.h"

namespace kvist {

/// Needle in a haystack in RULER's words (Hsieh et al. 2024, arXiv 2404.06654, section 3.1): numbers under keys are
/// hidden in a text, and those of one key or of several are asked for. One key and one value; further keys as
/// distractors; several values of one key; several keys asked for. What is asked for stands at the depth that was
/// set, everything else at drawn ones.
class NeedleTask : public TaskBuilder {
public:
    using TaskBuilder::TaskBuilder;

    TaskSample build(std::int64_t number) const override;
};

}  // namespace kvist
