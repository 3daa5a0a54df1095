// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/step_graph.h"

#include <gtest/gtest.h>

#include <string>

namespace kvist::kernels::test {
namespace {

TEST(StepGraph, SaysWhyNothingCanBeRecorded) {
    // There is no GPU, no module, or the current stream is the default one, which cannot be recorded.
    bool hasRun = false;
    std::string problem;
    EXPECT_EQ(StepGraph::record([&] { hasRun = true; }, problem), nullptr);
    EXPECT_FALSE(problem.empty());
    EXPECT_EQ(problem.find('\n'), std::string::npos);
    EXPECT_FALSE(hasRun);
}

}  // namespace
}  // namespace kvist::kernels::test
