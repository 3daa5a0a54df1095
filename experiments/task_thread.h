// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThread>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace kvist::experiments {

/// A long-lived thread that runs tasks one after the other, in the order in which they were posted. Tasks must
/// not throw. All hand-over goes through one mutex, so that everything that happened before post() is seen by
/// the task.
class TaskThread : private QThread {
public:
    explicit TaskThread(const QString& name);
    /// Runs what was posted, then ends the thread and waits for it.
    ~TaskThread() override;

    /// From any thread.
    void post(std::function<void()> task);

    /// Runs the task in the thread and waits for it; never from the thread itself.
    void call(const std::function<void()>& task);

private:
    void run() override;

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::function<void()>> m_tasks;
    bool m_isEnding = false;
    bool m_hasEnded = false;
};

}  // namespace kvist::experiments
