// SPDX-License-Identifier: GPL-3.0-or-later
// A data race on purpose, between two of the program's own threads: the thread sanitizer must report it, or a
// clean report on the other programs means nothing. Elsewhere the program only says that it is not checked.
#include <array>
#include <atomic>
#include <cstdio>

#include "experiments/task_thread.h"

namespace {

constexpr int kSkipped = 77;

std::atomic<int> arrived = 0;  // relaxed: makes the threads meet without ordering anything between them
std::array<int, 64> sharedWithoutLock = {};

void countUp() {
    arrived.fetch_add(1, std::memory_order_relaxed);
    while (arrived.load(std::memory_order_relaxed) < 2) {
    }
    for (int i = 0; i < 1000; ++i) {
        for (int& count : sharedWithoutLock) {
            count = count + 1;
        }
    }
}

}  // namespace

int main() {
#ifdef __SANITIZE_THREAD__
    {
        kvist::experiments::TaskThread first("first");
        kvist::experiments::TaskThread second("second");
        first.post(countUp);
        second.post(countUp);
    }
    std::printf("counted to %d\n", sharedWithoutLock.front());
    return 0;
#else
    std::printf("not built with the thread sanitizer\n");
    (void)countUp;
    return kSkipped;
#endif
}
