// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

#include "engine/runtime/compute.h"
#include "engine/runtime/memory_probe.h"

namespace kvist {
namespace {

TEST(CudaMemory, WhatATensorTakesIsMissingAndComesBack) {
    if (gpuNames().empty()) {
        GTEST_SKIP() << "no GPU that libtorch can use";
    }
    const at::Device device(at::kCUDA, 0);
    constexpr std::int64_t kBytes = std::int64_t{1} << 30;
    constexpr std::int64_t kOthers = std::int64_t{256} << 20;  // what other programs may take or give back meanwhile
    const std::int64_t before = availableMemory(device);
    EXPECT_GT(before, 0);
    {
        const at::Tensor taken = at::empty({kBytes}, at::TensorOptions(at::kByte).device(device));
        EXPECT_NEAR(availableMemory(device), before - kBytes, kOthers);
    }
    EXPECT_NEAR(availableMemory(device), before, kOthers) << "libtorch holds it, but would give it to the next";
}

}  // namespace
}  // namespace kvist
