// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/read_bandwidth.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/runtime/memory_probe.h"
#include "engine/runtime/stopwatch.h"

namespace kvist::kernels {
namespace {

constexpr int kPasses = 4;

/// Four times the last-level cache, within bounds that fit small machines and a short measurement.
std::size_t wordsToRead() {
    constexpr std::size_t kLeast = std::size_t{256} << 20;
    constexpr std::size_t kMost = std::size_t{1} << 30;
    return std::clamp(4 * static_cast<std::size_t>(lastLevelCache()), kLeast, kMost) / sizeof(std::uint64_t);
}

/// Sum of the words, several at a time, so that the reads and not the additions are the limit.
std::uint64_t sum(const std::uint64_t* words, std::size_t count) {
    std::uint64_t lanes[32] = {};
    for (std::size_t i = 0; i + 32 <= count; i += 32) {
        for (std::size_t lane = 0; lane < 32; ++lane) {
            lanes[lane] += words[i + lane];
        }
    }
    std::uint64_t total = 0;
    for (const std::uint64_t lane : lanes) {
        total += lane;
    }
    return total;
}

}  // namespace

double readBandwidth(int threads) {
    const std::vector<std::uint64_t> words(wordsToRead(), 1);
    std::atomic<std::uint64_t> total{0};
    double best = 0;
    for (int pass = 0; pass < kPasses; ++pass) {
        const Stopwatch watch;
        const auto part = static_cast<std::int64_t>(words.size()) / threads;
        at::parallel_for(0, threads, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                total += sum(words.data() + i * part, static_cast<std::size_t>(part));
            }
        });
        best = std::max(best, static_cast<double>(threads * part) * sizeof(std::uint64_t) / watch.seconds());
    }
    return total > 0 ? best : 0;
}

}  // namespace kvist::kernels
