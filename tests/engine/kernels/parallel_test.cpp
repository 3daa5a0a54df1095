// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Parallel.h>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

// Without -fopenmp at::parallel_for is silently serial in our own files.
TEST(Parallel, TwoThreadsRunAtTheSameTime) {
    const int threads = at::get_num_threads();
    at::set_num_threads(2);
    std::atomic<int> arrived = 0;
    std::atomic<bool> met = false;
    at::parallel_for(0, 2, 1, [&](std::int64_t, std::int64_t) {
        ++arrived;
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (arrived < 2 && std::chrono::steady_clock::now() < deadline)
            std::this_thread::yield();
        met = arrived == 2;
    });
    at::set_num_threads(threads);
    EXPECT_TRUE(met);
}

}  // namespace
