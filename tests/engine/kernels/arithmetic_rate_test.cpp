// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/arithmetic_rate.h"

#include <gtest/gtest.h>

#include "engine/kernels/cpu/cpu_kernels.h"

namespace kvist::kernels {
namespace {

TEST(ArithmeticRate, IsThatOfAProcessor) {
    const double operationsPerSecond = arithmeticRate(2);
    EXPECT_GT(operationsPerSecond, 1e8);
    EXPECT_LT(operationsPerSecond, 1e14);
}

TEST(ArithmeticRate, EveryInstructionSetDoesTheWorkThatItCounts) {
    for (const CpuKernels* kernels : supportedCpuKernels()) {
        SCOPED_TRACE(kernels->name);
        float values[] = {0.5F, 1.0F};
        const std::int64_t once = kernels->multiplyAdds(1, values);
        // Twelve chains c start at c and become c / 2 + 1; as many lanes as the count says.
        const auto lanes = static_cast<float>(once / 24);
        EXPECT_FLOAT_EQ(values[0], lanes * (66.0F / 2 + 12));
        float more[] = {0.5F, 1.0F};
        EXPECT_EQ(kernels->multiplyAdds(100, more), 100 * once);
        EXPECT_FLOAT_EQ(more[0], lanes * 24) << "all chains have come to 2";
    }
}

}  // namespace
}  // namespace kvist::kernels
