// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/run_worker.h"

#include <QDateTime>
#include <new>

#include "experiments/live_observer.h"
#include "experiments/run_query.h"

namespace kvist::experiments {
namespace {

/// The run as stored now, and where it is a baseline, all that is compared with it.
std::vector<RunRecord> changedWith(ResultStore& store, RunId id) {
    RunQuery query(store.connection());
    std::vector<RunRecord> records = query.withIds({id});
    const bool isNewBaseline =
        !records.empty() && records.front().state == RunState::Finished && records.front().isBaseline();
    return isNewBaseline ? query.comparedWith(records.front().key) : records;
}

}  // namespace

RunWorker::RunWorker(EngineSource& engine, StoreWorker& store, Mailbox& mailbox, std::string programVersion)
    : m_engine(engine),
      m_store(store),
      m_mailbox(mailbox),
      m_programVersion(std::move(programVersion)),
      m_thread("worker") {}

void RunWorker::measure(RunId id, const RunConfig& config, std::shared_ptr<const RunControl> control) {
    m_thread.post([this, id, config, control = std::move(control)] {
        if (begin(id)) {
            conclude(outcomeOf(id, config, *control));
        }
    });
}

bool RunWorker::begin(RunId id) {
    const std::string startedAt = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    bool isOurs = false;
    std::vector<RunRecord> records;
    const auto error = m_store.writeNow([&](ResultStore& store) {
        isOurs = store.begin(id, startedAt);
        if (!isOurs) {
            records = RunQuery(store.connection()).withIds({id});
        }
    });
    if (error) {
        m_mailbox.post(StoreFailed{*error});
    }
    if (error || !isOurs) {
        m_mailbox.post(RunEnded{id, RunState::Interrupted, ErrorKind::Internal, {}, std::move(records)});
        return false;
    }
    m_mailbox.post(RunStarted{id, startedAt});
    return true;
}

RunWorker::Outcome RunWorker::outcomeOf(RunId id, const RunConfig& config, const RunControl& control) {
    Outcome outcome{.id = id};
    try {
        LiveObserver observer(id, m_mailbox, m_store);
        outcome.result = m_engine.engine().run(config, observer, control.stop.get_token());
        outcome.state = RunState::Finished;
    } catch (const EngineError& error) {
        outcome.kind = error.kind();
        outcome.message = error.what();
    } catch (const std::bad_alloc&) {
        outcome.kind = ErrorKind::OutOfMemory;
        outcome.message = "The memory did not suffice; take a smaller budget, context or type.";
    } catch (const std::exception& error) {
        outcome.message = error.what();
    }
    if (outcome.state == RunState::Failed && outcome.kind == ErrorKind::Cancelled) {
        outcome.state = control.becomes;
    }
    return outcome;
}

void RunWorker::conclude(Outcome outcome) {
    std::vector<RunRecord> records;
    const auto error = m_store.writeNow([&](ResultStore& store) {
        if (outcome.state == RunState::Finished) {
            store.finish(outcome.id, outcome.result, m_programVersion);
        } else if (outcome.state == RunState::Failed) {
            store.fail(outcome.id, outcome.kind, outcome.message);
        } else {
            store.end({outcome.id}, outcome.state);
        }
        records = changedWith(store, outcome.id);
    });
    if (error) {
        m_mailbox.post(StoreFailed{*error});
        if (outcome.state == RunState::Finished) {
            m_unstored = std::move(outcome);
            return;
        }
    }
    m_mailbox.post(RunEnded{outcome.id, outcome.state, outcome.kind, outcome.message, std::move(records)});
}

void RunWorker::storeAgain() {
    m_thread.post([this] {
        if (m_unstored) {
            conclude(*std::exchange(m_unstored, std::nullopt));
        }
    });
}

void RunWorker::dropResult(RunState becomes) {
    m_thread.post([this, becomes] {
        if (m_unstored) {
            conclude(Outcome{.id = std::exchange(m_unstored, std::nullopt)->id, .state = becomes});
        }
    });
}

}  // namespace kvist::experiments
