// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/result_store.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>

#include "experiments/file_text.h"
#include "experiments/run_query.h"
#include "experiments/schema.h"
#include "experiments/store_error.h"
#include "tests/experiments/plan_facts.h"

using namespace kvist;
using namespace kvist::experiments;

namespace {

const double kNaN = std::numeric_limits<double>::quiet_NaN();

RunResult resultWith(std::vector<float> tokenNll) {
    RunResult result;
    result.metrics = {{"nll", 2.5}, {"seconds", 1.25}};
    result.tokenNll = std::move(tokenNll);
    result.stepSeconds = {0.1, 0.2};
    result.texts["answers"] = R"([{"expected":["7"],"generated":"ünïcode\n"}])";
    result.curves["nll"] = {{1, 2, 3}, {0.5, kNaN, 0.25}};
    result.device = "cpu";
    result.dtype = "float32";
    result.threads = 2;
    result.runner = "in order";
    result.tokenizer = "SentencePiece";
    result.keptDigest = "d1";
    result.machine = "Fake, 2 cores";
    result.libtorchVersion = "2.15";
    result.notes = {"text shorter than asked", "ünïcode"};
    return result;
}

/// What a call threw, or an empty text.
template <typename Call>
QString errorOf(Call&& call) {
    try {
        call();
        return {};
    } catch (const StoreError& error) {
        return QString::fromUtf8(error.what());
    }
}

}  // namespace

class ResultStoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath("results.sqlite").toStdString();
    }

    void keepsWhatWasMeasured() {
        RunId id = 0;
        {
            ResultStore store(m_path);
            id = add(store).front();
            QVERIFY(store.begin(id, "2026-01-02T03:04:05Z"));
            store.finish(id, resultWith({1, 2, 3}), "0.1");
        }
        ResultStore store(m_path);
        RunQuery query(store.connection());
        const RunRecord record = query.withIds({id}).at(0);
        const PlannedRun planned = makePlan(plainSweep(), plainFacts())->runs[0];
        QVERIFY(record.config == planned.config);
        QCOMPARE(record.key, planned.key);
        QCOMPARE(record.state, RunState::Finished);
        QCOMPARE(record.sweep, "Plain");
        QCOMPARE(record.modelFingerprint, "fake-1");
        QCOMPARE(record.textHash, "abc");
        QCOMPARE(record.startedAt, "2026-01-02T03:04:05Z");
        QCOMPARE(record.metric("nll"), 2.5);
        QCOMPARE(record.machine, "Fake, 2 cores");
        QCOMPARE(record.keptDigest, "d1");
        QCOMPARE(record.programVersion, "0.1");
        QCOMPARE(record.notes.at(1), "ünïcode");
        const RunDetails details = query.details(id);
        QVERIFY(details.tokenNll == (std::vector<float>{1, 2, 3}));
        QVERIFY(details.stepSeconds == (std::vector<double>{0.1, 0.2}));
        QCOMPARE(details.curves.at("nll").x.at(2), 3.0);
        QVERIFY(std::isnan(details.curves.at("nll").y.at(1)));
        QVERIFY(details.texts == resultWith({}).texts);
    }

    void removedRunsAreGoneAtTheNextOpening() {
        RunId kept = 0;
        {
            ResultStore store(m_path);
            const std::vector<RunId> ids = add(store);
            for (const RunId id : ids) {
                store.begin(id, "now");
                store.finish(id, resultWith({1, 2, 3}), "0.1");
            }
            RunQuery query(store.connection());
            const auto all = query.all();
            store.setRemoved({ids[0], ids[1]}, true);
            QCOMPARE(query.all().size(), all.size() - 2);
            QVERIFY(!query.withIds({ids[2]}).at(0).metrics.contains("delta_nll"));  // the baseline is out
            store.setRemoved({ids[0]}, false);
            QVERIFY(query.withIds({ids[2]}).at(0).metrics.contains("delta_nll"));
            kept = ids[2];
        }
        ResultStore store(m_path);
        QCOMPARE(RunQuery(store.connection()).all().size(), 2u);
        QCOMPARE(RunQuery(store.connection()).withIds({kept}).size(), 1u);
        QSqlQuery left = store.connection().exec("SELECT count(*) FROM samples");
        QVERIFY(left.next());
        QCOMPARE(left.value(0).toInt(), 2);
    }

    void aCopyHoldsTheSameRuns() {
        const std::string copy = m_path + "-copy";
        ResultStore store(m_path);
        const RunId id = add(store).front();
        store.begin(id, "now");
        store.finish(id, resultWith({1, 2, 3}), "0.1");
        store.copyTo(copy);
        store.copyTo(copy);  // and again over the first
        ResultStore other(copy);
        QVERIFY(RunQuery(other.connection()).withIds({id}) == RunQuery(store.connection()).withIds({id}));
        QVERIFY_THROWS_EXCEPTION(StoreError, store.copyTo(m_path));
        QVERIFY_THROWS_EXCEPTION(StoreError, store.copyTo(m_folder->filePath("none/copy.sqlite").toStdString()));
    }

    void notANumberMeansNotMeasured() {
        ResultStore store(m_path);
        const RunId id = add(store).front();
        RunResult result = resultWith({});
        result.metrics["nll_stderr"] = kNaN;
        result.metrics["perplexity"] = std::numeric_limits<double>::infinity();
        store.begin(id, "now");
        store.finish(id, result, "0.1");
        const RunRecord record = RunQuery(store.connection()).withIds({id}).at(0);
        QVERIFY(!record.metrics.contains("nll_stderr"));
        QVERIFY(std::isnan(record.metric("nll_stderr")));
        QVERIFY(std::isinf(record.metric("perplexity")));
        QVERIFY(!record.metrics.contains("delta_nll"));
    }

    void comparesWithTheBaseline() {
        ResultStore store(m_path);
        const std::vector<RunId> ids = add(store);  // full, window 32, window 64
        for (const RunId id : ids) {
            store.begin(id, "now");
        }
        RunQuery query(store.connection());
        store.finish(ids[1], resultWith({2, 4, 6}), "0.1");
        QVERIFY(!query.withIds({ids[1]}).at(0).metrics.contains("delta_nll"));  // nothing to compare with yet
        store.finish(ids[0], resultWith({1, 2, 3}), "0.1");
        store.finish(ids[2], resultWith({1, 2}), "0.1");  // other tokens
        const std::vector<RunRecord> records = query.comparedWith(query.withIds({ids[0]}).at(0).key);
        QCOMPARE(records.size(), 3u);
        QVERIFY(records[0].isBaseline());
        QVERIFY(!records[0].metrics.contains("delta_nll"));
        QCOMPARE(records[1].metric("delta_nll"), 2.0);  // differences 1, 2, 3
        QCOMPARE(records[1].metric("delta_nll_stderr"), 1 / std::sqrt(3.0));
        QCOMPARE(records[1].metric("delta_nll_stderr_block"), std::sqrt(2.0 / 3) / std::sqrt(3.0));  // blocks of one
        QCOMPARE(records[1].metric("perplexity_ratio"), std::exp(2.0));
        QVERIFY(!records[2].metrics.contains("delta_nll"));
    }

    void storesRefusedRunsAsFailed() {
        ResultStore store(m_path);
        Sweep sweep = plainSweep();
        sweep.budgets = "2, 64";
        const auto plan = makePlan(sweep, plainFacts());
        const std::vector<RunId> ids = store.add(sweep, plan->runs);
        const RunRecord record = RunQuery(store.connection()).withIds({ids[1]}).at(0);
        QCOMPARE(record.state, RunState::Failed);
        QCOMPARE(record.errorKind, "invalid-input");
        QCOMPARE(record.errorMessage, plan->runs[1].refusal);
        QVERIFY(store.add(sweep, plan->runs) == ids);  // the same rows are taken up again
    }

    void takesUpUnfinishedRunsUnderTheirNumber() {
        ResultStore store(m_path);
        const std::vector<RunId> ids = add(store);
        store.begin(ids[0], "now");
        store.finish(ids[0], resultWith({1}), "0.1");
        store.fail(ids[1], ErrorKind::OutOfMemory, "too large");
        store.end({ids[2]}, RunState::Cancelled);
        RunQuery query(store.connection());
        QCOMPARE(query.withIds({ids[1]}).at(0).errorKind, "out-of-memory");
        QCOMPARE(query.withIds({ids[2]}).at(0).state, RunState::Cancelled);

        const std::vector<RunId> again = add(store);
        QVERIFY(again[0] != ids[0]);  // a finished run is not overwritten
        QCOMPARE(again[1], ids[1]);
        QCOMPARE(again[2], ids[2]);
        const RunRecord retried = query.withIds({ids[1]}).at(0);
        QCOMPARE(retried.state, RunState::Queued);
        QVERIFY(retried.errorMessage.empty());
    }

    void beginsOnlyItsOwnQueuedRuns() {
        ResultStore store(m_path);
        ResultStore other(m_path);
        const RunId id = add(store).front();
        QVERIFY(!other.begin(id, "now"));
        QVERIFY(store.begin(id, "now"));
        QVERIFY(!store.begin(id, "now"));
        other.end({id}, RunState::Cancelled);
        QVERIFY(other.requeue({id}).empty());
        QCOMPARE(RunQuery(store.connection()).withIds({id}).at(0).state, RunState::Running);
    }

    void leavesRunsOfLivingProgramsAlone() {
        std::vector<RunId> ids;
        {
            ResultStore store(m_path);
            ids = add(store);
            store.begin(ids[0], "now");
            ResultStore other(m_path);
            RunQuery query(other.connection());
            QCOMPARE(query.withIds({ids[0]}).at(0).state, RunState::Running);
            QCOMPARE(query.withIds({ids[1]}).at(0).state, RunState::Queued);
        }
        ResultStore later(m_path);
        RunQuery query(later.connection());
        QCOMPARE(query.withIds({ids[0]}).at(0).state, RunState::Interrupted);
        QCOMPARE(query.withIds({ids[1]}).at(0).state, RunState::Interrupted);
        QVERIFY(later.requeue(ids) == ids);
    }

    void refusesOtherFiles_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("reason");
        QTest::newRow("text")
            << QByteArray("This is not a database, but it is long enough to look like one. ").repeated(64)
            << "is not a result store";
        QTest::newRow("damaged") << QByteArray("SQLite format 3\0", 16) + QByteArray(4080, '\x7f') << "SQLite:";
    }
    void refusesOtherFiles() {
        QFETCH(QByteArray, content);
        QFETCH(QString, reason);
        QVERIFY(writeFile(m_path, content.toStdString()));
        const QString error = errorOf([this] { ResultStore store(m_path); });
        QVERIFY2(error.contains(reason), qPrintable(error));
        QVERIFY(error.contains("results.sqlite"));
        QCOMPARE(*readFile(m_path), content.toStdString());
    }

    void refusesTheDatabaseOfAnotherProgram() {
        {
            StoreConnection connection(m_path, StoreConnection::Access::ReadWrite);
            connection.exec("CREATE TABLE recipes (name TEXT)");
        }
        const std::string before = *readFile(m_path);
        const QString error = errorOf([this] { ResultStore store(m_path); });
        QVERIFY2(error.contains("of another program"), qPrintable(error));
        QCOMPARE(*readFile(m_path), before);
    }

    void refusesANewerLayout() {
        {
            ResultStore store(m_path);
            store.connection().exec("PRAGMA user_version = 99");
        }
        const QString error = errorOf([this] { ResultStore store(m_path); });
        QVERIFY2(error.contains("newer version") && error.contains("99"), qPrintable(error));
    }

    void refusesAFolderThatIsNotThere() {
        const QString error = errorOf([this] { ResultStore store(m_folder->filePath("none/r.sqlite").toStdString()); });
        QVERIFY2(error.contains("check that its folder is there"), qPrintable(error));
    }

    void migratesStepByStep() {
        const std::vector<Migration> first = {{"CREATE TABLE a (x)", "INSERT INTO a VALUES (1)"}};
        const std::vector<Migration> both = {first[0], {"ALTER TABLE a ADD COLUMN y DEFAULT 7"}};
        const std::vector<Migration> broken = {both[0], both[1], {"CREATE TABLE b (x)", "CREATE TABLE a (x)"}};
        StoreConnection connection(m_path, StoreConnection::Access::ReadWrite);
        checkIsStore(connection, first);
        migrate(connection, first);
        checkIsStore(connection, both);
        migrate(connection, both);
        migrate(connection, both);
        QSqlQuery query = connection.exec("SELECT x, y FROM a");
        QVERIFY(query.next());
        QCOMPARE(query.value(1).toInt(), 7);
        query.finish();
        QVERIFY(!errorOf([&] { migrate(connection, broken); }).isEmpty());
        QSqlQuery tables = connection.exec("SELECT count(*) FROM sqlite_master WHERE name = 'b'");
        QVERIFY(tables.next());
        QCOMPARE(tables.value(0).toInt(), 0);  // the failed step left nothing
        tables.finish();
        QSqlQuery version = connection.exec("PRAGMA user_version");
        QVERIFY(version.next());
        QCOMPARE(version.value(0).toInt(), 2);
    }

    /// Stores of earlier versions are brought along with all that they hold.
    void bringsAnOldStoreToTheNewestLayout() {
        {
            StoreConnection connection(m_path, StoreConnection::Access::ReadWrite);
            migrate(connection, {storeMigrations().front()});
            connection.exec("INSERT INTO sweeps VALUES (1, 'Old', '{}', 'then')");
        }
        ResultStore store(m_path);
        QSqlQuery sweeps = store.connection().exec("SELECT name FROM sweeps");
        QVERIFY(sweeps.next());
        QCOMPARE(sweeps.value(0).toString(), "Old");
        sweeps.finish();
        const RunId id = add(store).front();
        QVERIFY(store.begin(id, "now"));
        store.finish(id, resultWith({1}), "0.2");
        QVERIFY(RunQuery(store.connection()).details(id).texts == resultWith({}).texts);
    }

    void saysWhenTheDiskIsFull() {
        ResultStore store(m_path);
        const std::vector<RunId> ids = add(store);
        store.begin(ids[0], "now");
        store.begin(ids[1], "now");
        store.finish(ids[0], resultWith({1, 2}), "0.1");
        store.connection().exec("PRAGMA max_page_count = 1");  // SQLite takes the present size, and no page more
        const QString error =
            errorOf([&] { store.finish(ids[1], resultWith(std::vector<float>(100000, 1.0F)), "0.1"); });
        QVERIFY2(error.contains("the disk is full; free some space"), qPrintable(error));
        RunQuery query(store.connection());
        QCOMPARE(query.withIds({ids[0]}).at(0).metric("nll"), 2.5);
        QCOMPARE(query.withIds({ids[1]}).at(0).state, RunState::Running);  // nothing of it
        store.connection().exec("PRAGMA max_page_count = 1000000");
        store.finish(ids[1], resultWith(std::vector<float>(100000, 1.0F)), "0.1");
        QCOMPARE(query.details(ids[1]).tokenNll.size(), 100000u);
    }

    void saysWhenTheFileIsReadOnly() {
        ResultStore store(m_path);
        store.connection().exec("PRAGMA query_only = 1");
        const QString error = errorOf([&] { add(store); });
        QVERIFY2(error.contains("change its permissions"), qPrintable(error));
    }

    void isDurable() {
        ResultStore store(m_path);
        const auto pragma = [&](const QString& name) {
            QSqlQuery query = store.connection().exec("PRAGMA " + name);
            return query.next() ? query.value(0).toString() : QString{};
        };
        QCOMPARE(pragma("journal_mode"), "wal");
        QCOMPARE(pragma("synchronous"), "2");
        QCOMPARE(pragma("foreign_keys"), "1");
        QCOMPARE(pragma("busy_timeout"), "5000");
    }

    void knowsNetworkFileSystems() {
        for (const char* type : {"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "ceph"}) {
            QVERIFY2(isNetworkFileSystem(type), type);
        }
        for (const char* type : {"ext4", "btrfs", "xfs", "tmpfs", "overlay", "fuseblk", "zfs"}) {
            QVERIFY2(!isNetworkFileSystem(type), type);
        }
    }

private:
    static std::vector<RunId> add(ResultStore& store) {
        return store.add(plainSweep(), makePlan(plainSweep(), plainFacts())->runs);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_path;
};

QTEST_GUILESS_MAIN(ResultStoreTest)
#include "result_store_test.moc"
