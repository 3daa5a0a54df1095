// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/task_thread.h"

#include <future>

namespace kvist::experiments {

TaskThread::TaskThread(const QString& name) {
    setObjectName(name);
    start();
}

TaskThread::~TaskThread() {
    std::unique_lock lock(m_mutex);
    m_isEnding = true;
    m_changed.notify_all();
    m_changed.wait(lock, [this] { return m_hasEnded; });
    lock.unlock();
    wait();
}

void TaskThread::post(std::function<void()> task) {
    const std::lock_guard lock(m_mutex);
    m_tasks.push_back(std::move(task));
    m_changed.notify_all();
}

void TaskThread::call(const std::function<void()>& task) {
    std::promise<void> done;
    post([&] {
        task();
        done.set_value();
    });
    done.get_future().wait();
}

void TaskThread::run() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_isEnding || !m_tasks.empty(); });
        if (m_tasks.empty()) {
            break;
        }
        {
            const std::function<void()> task = std::move(m_tasks.front());
            m_tasks.pop_front();
            lock.unlock();
            task();
        }
        lock.lock();
    }
    m_hasEnded = true;
    m_changed.notify_all();
}

}  // namespace kvist::experiments
