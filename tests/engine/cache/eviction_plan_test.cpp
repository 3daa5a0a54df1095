// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/eviction_plan.h"

#include <gtest/gtest.h>

#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

TEST(EvictionPlan, NothingToEvictIsEmpty) {
    EXPECT_TRUE(EvictionPlan{}.isEmpty());
    EXPECT_TRUE((EvictionPlan{{{}, {}}}.isEmpty()));
    EXPECT_FALSE((EvictionPlan{{{}, {3}}}.isEmpty()));
}

TEST(EvictionPlan, ValidPlansPass) {
    const std::vector<std::int64_t> counts = {5, 3};
    EXPECT_NO_THROW(EvictionPlan{}.validate(counts));
    EXPECT_NO_THROW((EvictionPlan{{{0, 2, 4}, {}}}.validate(counts)));
    EXPECT_NO_THROW((EvictionPlan{{{0, 1, 2, 3, 4}, {2}}}.validate(counts)));
}

TEST(EvictionPlan, MalformedPlansAreProgrammingErrors) {
    const std::vector<std::int64_t> counts = {5, 3};
    const std::vector<std::vector<std::vector<std::int32_t>>> wrong = {
        {{0}},            // one list for two sets
        {{0}, {1}, {2}},  // three lists
        {{5}, {}},        // beyond the end
        {{}, {3}},        // beyond the end of the second set
        {{-1}, {}},       // before the start
        {{2, 1}, {}},     // descending
        {{1, 1}, {}},     // twice
    };
    for (const auto& lists : wrong) {
        EXPECT_THAT([&] { EvictionPlan{lists}.validate(counts); }, throwsEngineError(ErrorKind::Internal, "plan"));
    }
}

}  // namespace
}  // namespace kvist
