// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/schema.h"

#include "experiments/store_error.h"

namespace kvist::experiments {
namespace {

constexpr int kApplicationId = 0x4b565354;  // "KVST" in the file's header

int pragma(StoreConnection& connection, const QString& name) {
    QSqlQuery query = connection.exec("PRAGMA " + name);
    return query.next() ? query.value(0).toInt() : 0;
}

bool isEmpty(StoreConnection& connection) {
    QSqlQuery query = connection.exec("SELECT count(*) FROM sqlite_master");
    return query.next() && query.value(0).toInt() == 0;
}

}  // namespace

const std::vector<Migration>& storeMigrations() {
    static const std::vector<Migration> migrations = {
        {
            "CREATE TABLE sweeps ("
            "  id INTEGER PRIMARY KEY, name TEXT NOT NULL, json TEXT NOT NULL, created_at TEXT NOT NULL)",
            // Config columns are for queries by hand; `config` holds everything. `owner` is the program that has
            // the run queued or running (owner_lock.h). What was not measured is NULL.
            "CREATE TABLE runs ("
            "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
            "  sweep_id INTEGER NOT NULL REFERENCES sweeps(id),"
            "  state TEXT NOT NULL CHECK (state IN"
            "    ('queued', 'running', 'finished', 'failed', 'cancelled', 'interrupted')),"
            "  owner INTEGER,"
            "  key TEXT NOT NULL, baseline_key TEXT NOT NULL,"
            "  model TEXT NOT NULL, model_fingerprint TEXT NOT NULL, text TEXT NOT NULL, text_hash TEXT NOT NULL,"
            "  policy TEXT NOT NULL, policy_parameters TEXT NOT NULL, budget INTEGER NOT NULL,"
            "  evaluation TEXT NOT NULL, warm INTEGER NOT NULL, score INTEGER NOT NULL, depth INTEGER NOT NULL,"
            "  chunk INTEGER NOT NULL, seed INTEGER NOT NULL, repeat INTEGER NOT NULL,"
            "  config TEXT NOT NULL,"
            "  started_at TEXT, device TEXT, dtype TEXT, threads INTEGER, runner TEXT, tokenizer TEXT,"
            "  kept_digest TEXT, machine TEXT, program_version TEXT, libtorch_version TEXT, notes TEXT,"
            "  error_kind TEXT, error_message TEXT)",
            "CREATE INDEX runs_by_key ON runs(key, state)",
            "CREATE INDEX runs_by_baseline ON runs(baseline_key)",
            "CREATE TABLE metrics ("
            "  run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"
            "  name TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY (run_id, name)) WITHOUT ROWID",
            // Little-endian IEEE numbers: x and y 64 bits; token_nll 32, step_seconds 64.
            "CREATE TABLE curves ("
            "  run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"
            "  name TEXT NOT NULL, x BLOB NOT NULL, y BLOB NOT NULL, PRIMARY KEY (run_id, name))",
            "CREATE TABLE samples ("
            "  run_id INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,"
            "  token_nll BLOB NOT NULL, step_seconds BLOB NOT NULL)",
        },
        {
            // What a run wrote: answers, continuations.
            "CREATE TABLE texts ("
            "  run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"
            "  name TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (run_id, name))",
        },
        {
            // How the entries of the cache are held; empty: in full precision.
            "ALTER TABLE runs ADD COLUMN entry_store TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE runs ADD COLUMN entry_store_parameters TEXT NOT NULL DEFAULT '{}'",
        },
        {
            // Taken out by the user, who may still take that back; deleted at the next opening.
            "ALTER TABLE runs ADD COLUMN removed INTEGER NOT NULL DEFAULT 0",
        },
    };
    return migrations;
}

void checkIsStore(StoreConnection& connection, const std::vector<Migration>& migrations) {
    const auto newest = static_cast<int>(migrations.size());
    const bool isOurs = pragma(connection, "application_id") == kApplicationId;
    if (!isOurs && !isEmpty(connection)) {
        throw StoreError("The file " + connection.path() +
                         " is a database of another program; choose another store. It was left as it is.");
    }
    if (const int version = pragma(connection, "user_version"); version > newest) {
        throw StoreError("The store " + connection.path() + " was written by a newer version of this program (layout " +
                         std::to_string(version) + ", known up to " + std::to_string(newest) +
                         "); update the program or choose another store. It was left as it is.");
    }
}

void migrate(StoreConnection& connection, const std::vector<Migration>& migrations) {
    const auto newest = static_cast<int>(migrations.size());
    for (bool isDone = false; !isDone;) {
        connection.inTransaction([&] {
            const int version = pragma(connection, "user_version");  // another program may have been faster
            isDone = version >= newest;
            if (isDone) {
                return;
            }
            for (const QString& statement : migrations[static_cast<std::size_t>(version)]) {
                connection.exec(statement);
            }
            connection.exec(QString("PRAGMA application_id = %1").arg(kApplicationId));
            connection.exec(QString("PRAGMA user_version = %1").arg(version + 1));
        });
    }
}

}  // namespace kvist::experiments
