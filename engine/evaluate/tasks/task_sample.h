// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/policies/plan_context.h"

namespace kvist {

/// One text with something hidden in it, the question for it, and what a right answer holds.
struct TaskSample {
    std::vector<std::int32_t> context;   ///< introduction and haystack with the needles
    std::vector<std::int32_t> question;  ///< follows the context and ends where the answer begins
    std::vector<std::string> expected;   ///< strings that the answer should hold
    std::vector<TokenSpan> needles;      ///< where in the context what is asked for stands, in the order of `expected`
};

}  // namespace kvist
