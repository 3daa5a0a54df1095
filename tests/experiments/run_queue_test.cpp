// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/run_queue.h"

#include <gtest/gtest.h>

namespace kvist::experiments {
namespace {

RunQueue queueOf(const QList<RunId>& ids) {
    RunQueue queue;
    for (const RunId id : ids) {
        EXPECT_TRUE(queue.append(id));
    }
    return queue;
}

TEST(RunQueue, TakesOneAtATimeInOrder) {
    RunQueue queue = queueOf({1, 2});
    EXPECT_EQ(queue.takeNext(), 1);
    EXPECT_EQ(queue.takeNext(), std::nullopt);
    EXPECT_EQ(queue.current(), 1);
    queue.finishCurrent();
    EXPECT_EQ(queue.takeNext(), 2);
    queue.finishCurrent();
    EXPECT_TRUE(queue.isIdle());
    EXPECT_EQ(queue.takeNext(), std::nullopt);
}

TEST(RunQueue, HoldsEachRunOnce) {
    RunQueue queue = queueOf({1, 2});
    EXPECT_FALSE(queue.append(2));
    queue.takeNext();
    EXPECT_FALSE(queue.append(1));
}

TEST(RunQueue, PausesAfterTheCurrentRun) {
    RunQueue queue = queueOf({1, 2});
    queue.takeNext();
    EXPECT_TRUE(queue.setPaused(true));
    EXPECT_FALSE(queue.setPaused(true));
    EXPECT_EQ(queue.current(), 1);
    queue.finishCurrent();
    EXPECT_EQ(queue.takeNext(), std::nullopt);
    EXPECT_FALSE(queue.isIdle());
    queue.setPaused(false);
    EXPECT_EQ(queue.takeNext(), 2);
}

TEST(RunQueue, MovesWaitingRuns) {
    RunQueue queue = queueOf({1, 2, 3, 4});
    EXPECT_TRUE(queue.move(4, 0));
    EXPECT_EQ(queue.waiting(), (QList<RunId>{4, 1, 2, 3}));
    EXPECT_TRUE(queue.move(1, 99));
    EXPECT_EQ(queue.waiting(), (QList<RunId>{4, 2, 3, 1}));
    EXPECT_FALSE(queue.move(7, 0));
    queue.takeNext();
    EXPECT_FALSE(queue.move(4, 1));
}

TEST(RunQueue, RemovesAndClears) {
    RunQueue queue = queueOf({1, 2, 3});
    queue.takeNext();
    EXPECT_TRUE(queue.remove(2));
    EXPECT_FALSE(queue.remove(1));
    EXPECT_EQ(queue.clear(), (QList<RunId>{3}));
    EXPECT_EQ(queue.current(), 1);
}

}  // namespace
}  // namespace kvist::experiments
