// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gmock/gmock.h>

#include "engine/api/engine_error.h"

namespace kvist::testing {

/// EXPECT_THAT([&] { call(); }, throwsEngineError(ErrorKind::InvalidInput, AllOf(HasSubstr("…"), …)))
template <typename MessageMatcher>
auto throwsEngineError(ErrorKind kind, MessageMatcher message) {
    return ::testing::Throws<EngineError>(
        ::testing::AllOf(::testing::Property("kind", &EngineError::kind, kind),
                         ::testing::Property("what", &EngineError::what, ::testing::HasSubstr(message))));
}

}  // namespace kvist::testing
