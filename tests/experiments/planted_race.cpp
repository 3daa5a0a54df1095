// SPDX-License-Identifier: GPL-3.0-or-later
// A data race on purpose, between two of the program's own threads: the thread sanitizer must report it, or a
// clean report on the other programs means nothing. Elsewhere the program only says that it is not checked.
#include <cstdio>

#include "experiments/task_thread.h"

namespace {

constexpr int kSkipped = 77;

int sharedWithoutLock = 0;

void countUp() {
    for (int i = 0; i < 10000; ++i) {
        sharedWithoutLock = sharedWithoutLock + 1;
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
    std::printf("counted to %d\n", sharedWithoutLock);
    return 0;
#else
    std::printf("not built with the thread sanitizer\n");
    (void)countUp;
    return kSkipped;
#endif
}
