// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/store_worker.h"

#include "experiments/run_query.h"
#include "experiments/store_error.h"

namespace kvist::experiments {

StoreWorker::StoreWorker(Mailbox& mailbox) : m_mailbox(mailbox), m_thread("store") {}

StoreWorker::~StoreWorker() {
    m_thread.call([this] { m_store.reset(); });
}

void StoreWorker::open(const std::string& path) {
    m_thread.post([this, path] {
        try {
            auto store = std::make_unique<ResultStore>(path);
            std::vector<RunRecord> records = RunQuery(store->connection()).all();
            m_store = std::move(store);
            m_mailbox.post(StoreOpened{path, std::move(records)});
        } catch (const std::exception& error) {
            m_mailbox.post(StoreRefused{path, error.what()});
        }
    });
}

void StoreWorker::write(Job job, std::function<void(const std::string&)> failed) {
    m_thread.post([this, job = std::move(job), failed = std::move(failed)] {
        if (const auto error = attempt(job)) {
            failed(*error);
        }
    });
}

std::optional<std::string> StoreWorker::writeNow(const Job& job) {
    std::optional<std::string> error;
    m_thread.call([&] { error = attempt(job); });
    return error;
}

std::optional<std::string> StoreWorker::attempt(const Job& job) {
    const std::lock_guard lock(m_quiet);
    try {
        if (!m_store) {
            return "No store is open; open or create one first.";
        }
        job(*m_store);
        return std::nullopt;
    } catch (const std::exception& error) {
        return error.what();
    }
}

}  // namespace kvist::experiments
