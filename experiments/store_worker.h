// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "experiments/mailbox.h"
#include "experiments/result_store.h"
#include "experiments/task_thread.h"

namespace kvist::experiments {

/// The thread that writes to the store: everything in order, nothing while a timed phase is on.
class StoreWorker {
public:
    using Job = std::function<void(ResultStore&)>;

    explicit StoreWorker(Mailbox& mailbox);
    /// Does what was asked for, then closes the store.
    ~StoreWorker();

    /// → StoreOpened or StoreRefused; the store that was open is closed when the new one is there.
    void open(const std::string& path);

    /// Queues a job; `failed` is called in the store's thread where it throws StoreError. From any thread.
    void write(Job job, std::function<void(const std::string&)> failed);

    /// Does the job and waits for it. Returns what went wrong. Not from the store's thread, nor while quiet.
    std::optional<std::string> writeNow(const Job& job);

    /// While the lock is held no job starts; taking it waits for the job at work.
    std::unique_lock<std::mutex> quiet() { return std::unique_lock(m_quiet); }

private:
    std::optional<std::string> attempt(const Job& job);

    Mailbox& m_mailbox;
    std::mutex m_quiet;
    std::unique_ptr<ResultStore> m_store;  // made, used and destroyed in the thread
    TaskThread m_thread;
};

}  // namespace kvist::experiments
