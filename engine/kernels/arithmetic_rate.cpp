// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/arithmetic_rate.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "engine/kernels/cpu/cpu_kernels.h"
#include "engine/runtime/stopwatch.h"

namespace kvist::kernels {

double arithmeticRate(int threads) {
    constexpr int kPasses = 8;
    constexpr std::int64_t kRounds = 1'000'000;  // some milliseconds
    double best = 0;
    for (int pass = 0; pass < kPasses; ++pass) {
        std::atomic<std::int64_t> operations{0};
        const Stopwatch watch;
        at::parallel_for(0, threads, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                float values[] = {0.5F, 1.0F};  // the chains stay near 2
                operations += cpuKernels().multiplyAdds(kRounds, values);
            }
        });
        best = std::max(best, static_cast<double>(operations.load()) / watch.seconds());
    }
    return best;
}

}  // namespace kvist::kernels
