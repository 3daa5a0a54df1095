// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/read_bandwidth.h"

#include <gtest/gtest.h>

namespace {

TEST(ReadBandwidth, IsThatOfMemoryRatherThanOfACacheOrADisk) {
    const double bytesPerSecond = kvist::kernels::readBandwidth(2);
    EXPECT_GT(bytesPerSecond, 1e8);
    EXPECT_LT(bytesPerSecond, 1e13);
}

}  // namespace
