// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/result_store.h"

#include <QDateTime>
#include <QFileInfo>
#include <cmath>
#include <filesystem>

#include "experiments/blob.h"
#include "experiments/run_config_json.h"
#include "experiments/schema.h"
#include "experiments/store_error.h"
#include "experiments/sweep_file.h"

namespace kvist::experiments {
namespace {

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

StoreConnection& prepared(StoreConnection& connection) {
    checkIsStore(connection);
    connection.makeDurable();
    migrate(connection);
    return connection;
}

QString word(RunState state) {
    return QString::fromLatin1(toString(state));
}

}  // namespace

ResultStore::ResultStore(const std::string& path)
    : m_connection(path, StoreConnection::Access::ReadWrite), m_owner(prepared(m_connection).path()) {
    interruptAbandoned();
    m_connection.exec("DELETE FROM runs WHERE removed = 1");
}

void ResultStore::interruptAbandoned() {
    m_connection.inTransaction([this] {
        QSqlQuery owners = m_connection.exec("SELECT DISTINCT owner FROM runs WHERE state IN ('queued', 'running')");
        std::vector<qint64> dead;
        while (owners.next()) {
            if (const qint64 owner = owners.value(0).toLongLong(); !m_owner.isAlive(owner)) {
                dead.push_back(owner);
            }
        }
        owners.finish();
        for (const qint64 owner : dead) {
            m_connection.exec(
                "UPDATE runs SET state = 'interrupted', owner = NULL WHERE owner = ? AND state IN ('queued', "
                "'running')",
                {owner});
        }
    });
}

std::vector<RunId> ResultStore::add(const Sweep& sweep, const std::vector<PlannedRun>& runs) {
    return m_connection.inTransaction([&] {
        const QString now = QDateTime::currentDateTimeUtc().toString(Qt::ISODate);
        const qint64 sweepId = m_connection.insert(
            "sweeps", {{"name", text(sweep.name)}, {"json", text(toJson(sweep))}, {"created_at", now}});
        std::vector<RunId> ids;
        for (const PlannedRun& run : runs) {
            ids.push_back(addRun(sweepId, run));
        }
        return ids;
    });
}

RunId ResultStore::reusable(const std::string& key) {
    QSqlQuery query = m_connection.exec(
        "SELECT id FROM runs WHERE key = ? AND removed = 0 AND (state IN ('failed', 'cancelled', 'interrupted') OR "
        "(state IN ('queued', 'running') AND owner = ?)) ORDER BY id DESC LIMIT 1",
        {text(key), qint64{m_owner.number()}});
    return query.next() ? query.value(0).toLongLong() : 0;
}

RunId ResultStore::addRun(qint64 sweepId, const PlannedRun& run) {
    RunId id = reusable(run.key);
    if (id == 0) {
        const RunConfig& config = run.config;
        id = m_connection.insert("runs", {{"sweep_id", sweepId},
                                          {"state", word(RunState::Interrupted)},
                                          {"key", text(run.key)},
                                          {"baseline_key", text(run.baselineKey)},
                                          {"model", text(run.modelName)},
                                          {"model_fingerprint", text(run.modelFingerprint)},
                                          {"text", QFileInfo(text(config.text.file)).fileName()},
                                          {"text_hash", text(run.textHash)},
                                          {"policy", text(config.policy)},
                                          {"policy_parameters", text(toJson(config.policyParameters).dump())},
                                          {"budget", qint64{config.budget}},
                                          {"evaluation", text(config.evaluation)},
                                          {"warm", qint64{config.warm}},
                                          {"score", qint64{config.score}},
                                          {"depth", qint64{config.depth}},
                                          {"chunk", qint64{config.chunk}},
                                          {"seed", static_cast<qint64>(config.seed)},
                                          {"repeat", config.repeat},
                                          {"config", text(toJson(config).dump())},
                                          {"entry_store", text(config.store)},
                                          {"entry_store_parameters", text(toJson(config.storeParameters).dump())}});
    }
    m_connection.exec(
        "UPDATE runs SET sweep_id = ?, state = 'queued', owner = ?, config = ?, error_kind = NULL, error_message = "
        "NULL "
        "WHERE id = ? AND state NOT IN ('queued', 'running')",
        {sweepId, qint64{m_owner.number()}, text(toJson(run.config).dump()), id});
    if (!run.isRunnable()) {
        fail(id, ErrorKind::InvalidInput, run.refusal);
    }
    return id;
}

bool ResultStore::begin(RunId id, const std::string& startedAt) {
    return m_connection
               .exec(
                   "UPDATE runs SET state = 'running', started_at = ? WHERE id = ? AND state = 'queued' AND owner = ?",
                   {text(startedAt), id, qint64{m_owner.number()}})
               .numRowsAffected() == 1;
}

void ResultStore::finish(RunId id, const RunResult& result, const std::string& programVersion) {
    m_connection.inTransaction([&] {
        m_connection.exec(
            "UPDATE runs SET state = 'finished', owner = NULL, device = ?, dtype = ?, threads = ?, runner = ?,"
            " tokenizer = ?, kept_digest = ?, machine = ?, program_version = ?, libtorch_version = ?, notes = ?"
            " WHERE id = ?",
            {text(result.device), text(result.dtype), result.threads, text(result.runner), text(result.tokenizer),
             text(result.keptDigest), text(result.machine), text(programVersion), text(result.libtorchVersion),
             text(nlohmann::json(result.notes).dump()), id});
        for (const auto& [name, value] : result.metrics) {
            if (!std::isnan(value)) {
                m_connection.exec("INSERT OR REPLACE INTO metrics VALUES (?, ?, ?)", {id, text(name), value});
            }
        }
        for (const auto& [name, curve] : result.curves) {
            m_connection.exec("INSERT OR REPLACE INTO curves VALUES (?, ?, ?, ?)",
                              {id, text(name), blobOf(curve.x), blobOf(curve.y)});
        }
        for (const auto& [name, content] : result.texts) {
            m_connection.exec("INSERT OR REPLACE INTO texts VALUES (?, ?, ?)", {id, text(name), text(content)});
        }
        m_connection.exec("INSERT OR REPLACE INTO samples VALUES (?, ?, ?)",
                          {id, blobOf(result.tokenNll), blobOf(result.stepSeconds)});
    });
}

void ResultStore::fail(RunId id, ErrorKind kind, const std::string& message) {
    m_connection.exec("UPDATE runs SET state = 'failed', owner = NULL, error_kind = ?, error_message = ? WHERE id = ?",
                      {QString::fromLatin1(toString(kind)), text(message), id});
}

void ResultStore::end(const std::vector<RunId>& ids, RunState state) {
    m_connection.inTransaction([&] {
        for (const RunId id : ids) {
            m_connection.exec(
                "UPDATE runs SET state = ?, owner = NULL WHERE id = ? AND state IN ('queued', 'running') AND owner = ?",
                {word(state), id, qint64{m_owner.number()}});
        }
    });
}

void ResultStore::setRemoved(const std::vector<RunId>& ids, bool isRemoved) {
    m_connection.inTransaction([&] {
        for (const RunId id : ids) {
            m_connection.exec("UPDATE runs SET removed = ? WHERE id = ? AND state NOT IN ('queued', 'running')",
                              {isRemoved ? 1 : 0, id});
        }
    });
}

void ResultStore::copyTo(const std::string& path) {
    std::error_code error;
    if (std::filesystem::equivalent(path, m_connection.path(), error)) {
        throw StoreError(path + " is the store itself; choose another name for the copy.");
    }
    const std::string part = path + ".part";
    try {
        std::filesystem::remove(part);
        m_connection.exec("VACUUM INTO ?", {text(part)});
        std::filesystem::rename(part, path);
    } catch (const std::exception& failure) {
        std::filesystem::remove(part, error);
        throw StoreError("The copy " + path + " cannot be written; choose another place (" + failure.what() + ")");
    }
}

std::vector<RunId> ResultStore::requeue(const std::vector<RunId>& ids) {
    return m_connection.inTransaction([&] {
        std::vector<RunId> taken;
        for (const RunId id : ids) {
            const QSqlQuery query = m_connection.exec(
                "UPDATE runs SET state = 'queued', owner = ?, error_kind = NULL, error_message = NULL "
                "WHERE id = ? AND (state IN ('failed', 'cancelled', 'interrupted') OR owner = ?)",
                {qint64{m_owner.number()}, id, qint64{m_owner.number()}});
            if (query.numRowsAffected() == 1) {
                taken.push_back(id);
            }
        }
        return taken;
    });
}

}  // namespace kvist::experiments
