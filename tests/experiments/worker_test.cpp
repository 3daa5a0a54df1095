// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <thread>

#include "experiments/mailbox.h"
#include "experiments/run_query.h"
#include "experiments/run_worker.h"
#include "experiments/store_connection.h"
#include "experiments/store_worker.h"
#include "experiments/sweep_planner.h"
#include "experiments/task_thread.h"
#include "tests/experiments/controller_fixture.h"

using namespace kvist;
using namespace kvist::experiments;
using namespace std::chrono_literals;

/// Task thread, mailbox, store worker and run worker, each by itself.
class WorkerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_messages.clear(); }

    void tasksRunInOrderAndToTheEnd() {
        std::vector<int> seen;
        {
            TaskThread thread("test");
            for (int i = 0; i < 100; ++i) {
                thread.post([&seen, i] { seen.push_back(i); });
            }
            int answer = 0;
            thread.call([&] { answer = static_cast<int>(seen.size()); });
            QCOMPARE(answer, 100);
            thread.post([&seen] { seen.push_back(100); });
        }
        QCOMPARE(seen.size(), 101u);
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    }

    void mailboxMergesProgress() {
        Mailbox mailbox;
        QSignalSpy filled(&mailbox, &Mailbox::filled);
        for (int i = 1; i <= 3; ++i) {
            mailbox.post(progress(7, i));
        }
        QCOMPARE(filled.count(), 1);
        QVERIFY(!mailbox.isUrgent());
        mailbox.post(RunEnded{7, RunState::Finished, {}, {}, {}});
        QVERIFY(mailbox.isUrgent());
        QCOMPARE(filled.count(), 2);
        mailbox.post(progress(8, 1));
        const std::vector<Message> messages = mailbox.take();
        QCOMPARE(messages.size(), 3u);
        const auto& merged = std::get<RunProgress>(messages[0]);
        QCOMPARE(merged.done, 3);
        QVERIFY((merged.points.at("nll") == Curve{{1, 2, 3}, {2, 4, 6}}));
        QCOMPARE(std::get<RunProgress>(messages[2]).id, 8);
        QVERIFY(mailbox.isEmpty());
        QVERIFY(!mailbox.isUrgent());
    }

    void mailboxLosesNothingBetweenThreads() {
        constexpr int kEach = 2000;
        Mailbox mailbox;
        std::atomic<int> running = 2;
        const auto post = [&](RunId id) {
            for (int i = 1; i <= kEach; ++i) {
                mailbox.post(progress(id, i));
            }
            --running;
        };
        std::thread first(post, 1);
        std::thread second(post, 2);
        std::map<RunId, Curve> curves;
        for (bool isLast = false; !isLast;) {
            isLast = running == 0;
            for (const Message& message : mailbox.take()) {
                const auto& part = std::get<RunProgress>(message);
                Curve& whole = curves[part.id];
                whole.x.insert(whole.x.end(), part.points.at("nll").x.begin(), part.points.at("nll").x.end());
            }
        }
        first.join();
        second.join();
        for (const RunId id : {1, 2}) {
            QCOMPARE(curves[id].x.size(), std::size_t{kEach});
            QVERIFY(std::is_sorted(curves[id].x.begin(), curves[id].x.end()));
        }
    }

    void storeWaitsWhileStepsAreTimed() {
        ControllerFolder folder;
        Mailbox mailbox;
        std::atomic<bool> isWritten = false;
        StoreWorker store(mailbox);
        store.open(folder.store().toStdString());
        QVERIFY(!store.writeNow([](ResultStore&) {}));
        auto quiet = store.quiet();
        store.write([&](ResultStore&) { isWritten = true; }, [](const std::string&) {});
        std::this_thread::sleep_for(100ms);
        QVERIFY(!isWritten);
        quiet.unlock();
        QVERIFY(!store.writeNow([](ResultStore&) {}));
        QVERIFY(isWritten);
    }

    void runsAreQuietWhileTimed() {
        ControllerFolder folder;
        std::atomic<int> writtenWhileTimed = 0;
        std::atomic<int> written = 0;
        Mailbox mailbox;
        StoreWorker store(mailbox);
        store.open(folder.store().toStdString());
        std::atomic<bool> isTimed = false;
        EngineSource engine(test::fakeEngineFactory({.onStep = [&](const RunConfig& config, std::int64_t done) {
            isTimed = true;
            store.write(
                [&](ResultStore&) {
                    ++written;
                    writtenWhileTimed += isTimed;
                },
                [](const std::string&) {});
            std::this_thread::sleep_for(5ms);
            if (done + 1 == integerOf(config.evaluationParameters, "samples")) {
                isTimed = false;
            }
        }}));
        {
            RunWorker worker(engine, store, mailbox, "test");
            worker.measure(queuedSpeedRun(store), m_config, std::make_shared<RunControl>());
        }
        QVERIFY(!store.writeNow([](ResultStore&) {}));
        QCOMPARE(written.load(), 5 + 4);
        QCOMPARE(writtenWhileTimed.load(), 0);
    }

    void resultWaitsForAStoreThatFails() {
        ControllerFolder folder;
        Mailbox mailbox;
        StoreWorker store(mailbox);
        store.open(folder.store().toStdString());
        EngineSource engine(test::fakeEngineFactory());
        const RunId id = queuedSpeedRun(store);
        StoreConnection saboteur(folder.store().toStdString(), StoreConnection::Access::ReadWrite);
        saboteur.exec(
            "CREATE TRIGGER full BEFORE UPDATE ON runs WHEN NEW.state = 'finished' "
            "BEGIN SELECT RAISE(ABORT, 'no room'); END");
        RunWorker worker(engine, store, mailbox, "test");
        worker.measure(id, m_config, std::make_shared<RunControl>());
        QTRY_VERIFY(lastOf<StoreFailed>(mailbox));
        QVERIFY(std::get<StoreFailed>(m_messages.back()).message.find("no room") != std::string::npos);
        m_messages.clear();
        worker.storeAgain();
        QTRY_VERIFY(lastOf<StoreFailed>(mailbox));
        saboteur.exec("DROP TRIGGER full");
        worker.storeAgain();
        QTRY_VERIFY(lastOf<RunEnded>(mailbox));
        const auto& ended = std::get<RunEnded>(m_messages.back());
        QCOMPARE(ended.state, RunState::Finished);
        QCOMPARE(ended.records.at(0).metric("decode_depth"), 64.0);
        worker.storeAgain();  // nothing waits any more
    }

    void failingEngineFactoryFailsTheRun() {
        ControllerFolder folder;
        Mailbox mailbox;
        StoreWorker store(mailbox);
        store.open(folder.store().toStdString());
        EngineSource engine([]() -> std::unique_ptr<Engine> { throw std::runtime_error("no libtorch"); });
        RunWorker worker(engine, store, mailbox, "test");
        worker.measure(queuedSpeedRun(store), m_config, std::make_shared<RunControl>());
        QTRY_VERIFY(lastOf<RunEnded>(mailbox));
        QCOMPARE(std::get<RunEnded>(m_messages.back()).message, "no libtorch");
    }

private:
    static RunProgress progress(RunId id, int step) {
        return {.id = id,
                .phase = RunPhase::Scoring,
                .done = step,
                .total = 10,
                .seconds = 0,
                .points = {{"nll", Curve{{double(step)}, {2.0 * step}}}}};
    }

    /// One speed run with 4 warm-ups and 5 samples, queued; its configuration is m_config.
    RunId queuedSpeedRun(StoreWorker& store) {
        Sweep sweep = plainSweep();
        sweep.policies.pop_back();
        sweep.evaluations = {{.id = "speed", .depths = "64", .parameters = {{"warmups", "4"}, {"samples", "5"}}}};
        const SweepPlan plan = *makePlan(sweep, plainFacts());
        m_config = plan.runs[0].config;
        m_config.model.path = "/";
        RunId id = 0;
        const auto error = store.writeNow([&](ResultStore& results) { id = results.add(sweep, plan.runs).front(); });
        if (error) {
            qFatal("%s", error->c_str());
        }
        return id;
    }

    template <typename Kind>
    bool lastOf(Mailbox& mailbox) {
        for (Message& message : mailbox.take()) {
            m_messages.push_back(std::move(message));
        }
        return !m_messages.empty() && std::holds_alternative<Kind>(m_messages.back());
    }

    RunConfig m_config;
    std::vector<Message> m_messages;
};

QTEST_GUILESS_MAIN(WorkerTest)
#include "worker_test.moc"
