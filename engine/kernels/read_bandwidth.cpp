// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/read_bandwidth.h"

#include <ATen/Parallel.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>
#include <numeric>
#include <span>

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

/// Sum of the words. Several streams at once, each fetched ahead: what one core reads fastest that way was a
/// third more than by a single stream.
std::uint64_t sum(const std::uint64_t* words, std::size_t count) {
    constexpr std::size_t kStreams = 4;
    constexpr std::size_t kLine = 8;     // words of a cache line
    constexpr std::size_t kAhead = 256;  // words
    std::uint64_t lanes[kStreams][kLine] = {};
    const std::size_t part = count / kStreams;
    for (std::size_t i = 0; i + kLine <= part; i += kLine) {
        for (std::size_t stream = 0; stream < kStreams; ++stream) {
            const std::uint64_t* line = words + stream * part + i;
            __builtin_prefetch(line + kAhead);
            for (std::size_t lane = 0; lane < kLine; ++lane) {
                lanes[stream][lane] += line[lane];
            }
        }
    }
    std::uint64_t total = 0;
    for (const auto& stream : lanes) {
        total = std::accumulate(std::begin(stream), std::end(stream), total);
    }
    return total;
}

struct Free {
    void operator()(std::uint64_t* words) const { std::free(words); }
};

/// Huge pages where the system has them: with small ones the page tables, not the memory, are the limit.
std::unique_ptr<std::uint64_t, Free> onesInHugePages(std::size_t count) {
    constexpr std::size_t kHugePage = std::size_t{2} << 20;
    const std::size_t bytes = (count * sizeof(std::uint64_t) + kHugePage - 1) / kHugePage * kHugePage;
    std::unique_ptr<std::uint64_t, Free> words(static_cast<std::uint64_t*>(std::aligned_alloc(kHugePage, bytes)));
    if (!words) {
        throw std::bad_alloc();
    }
    ::madvise(words.get(), bytes, MADV_HUGEPAGE);
    std::fill_n(words.get(), count, std::uint64_t{1});
    return words;
}

}  // namespace

double readBandwidth(int threads) {
    const auto buffer = onesInHugePages(wordsToRead());
    const std::span words(buffer.get(), wordsToRead());
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
