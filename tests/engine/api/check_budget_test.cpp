// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/api/policy_catalog.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

TEST(CheckBudget, SinksNeedAtLeastOneFurtherEntry) {
    for (const char* policy : {"window", "attention-score"}) {
        SCOPED_TRACE(policy);
        const ParameterMap parameters = {{"sinks", std::int64_t{4}}};
        EXPECT_NO_THROW(checkBudget(policy, parameters, 4096));
        EXPECT_THAT([&] { checkBudget(policy, parameters, 4); }, throwsEngineError(ErrorKind::InvalidInput, "sinks"));
        EXPECT_THAT([&] { checkBudget(policy, parameters, 3); }, throwsEngineError(ErrorKind::InvalidInput, "4"));
        EXPECT_THAT([&] { checkBudget(policy, parameters, 0); }, throwsEngineError(ErrorKind::InvalidInput, policy));
        EXPECT_THAT([&] { checkBudget(policy, parameters, -1); }, throwsEngineError(ErrorKind::InvalidInput, ""));
    }
    EXPECT_NO_THROW(checkBudget("window", {{"sinks", std::int64_t{4}}}, 6));
    EXPECT_NO_THROW(checkBudget("window", {{"sinks", std::int64_t{0}}}, 2));
}

TEST(CheckBudget, MissingParametersTakeTheirDefaults) {
    EXPECT_THAT([] { checkBudget("window", {}, 4); }, throwsEngineError(ErrorKind::InvalidInput, "sinks"));
    EXPECT_NO_THROW(checkBudget("window", {}, 64));
}

TEST(CheckBudget, FullCacheHasNoBudgetToCheck) {
    EXPECT_NO_THROW(checkBudget("full", {}, 0));
}

TEST(CheckBudget, UnknownPoliciesAndParametersAreNamed) {
    EXPECT_THAT([] { checkBudget("widow", {}, 64); }, throwsEngineError(ErrorKind::InvalidInput, "window"));
    EXPECT_THAT(
        [] {
            checkBudget("window", {{"sink", std::int64_t{4}}}, 64);
        },
        throwsEngineError(ErrorKind::InvalidInput, "sinks"));
}

}  // namespace
}  // namespace kvist
