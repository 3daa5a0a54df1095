// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/store_connection.h"

#include <QFileInfo>
#include <QStorageInfo>
#include <QUuid>
#include <algorithm>
#include <array>

#include "experiments/store_error.h"

namespace kvist::experiments {

StoreConnection::StoreConnection(const std::string& path, Access access)
    : m_path(path),
      m_name(QUuid::createUuid().toString(QUuid::WithoutBraces)),
      m_database(QSqlDatabase::addDatabase("QSQLITE", m_name)) {
    try {
        setUp(access);
    } catch (...) {
        m_database = {};
        QSqlDatabase::removeDatabase(m_name);
        throw;
    }
}

StoreConnection::~StoreConnection() {
    m_database.close();
    m_database = {};
    QSqlDatabase::removeDatabase(m_name);
}

void StoreConnection::setUp(Access access) {
    if (!m_database.isValid()) {
        throw StoreError("Qt's SQLite driver is not installed; install libqt6sql6-sqlite.");
    }
    const QString file = QString::fromStdString(m_path);
    m_database.setDatabaseName(file);
    m_database.setConnectOptions(access == Access::ReadOnly ? "QSQLITE_OPEN_READONLY;QSQLITE_BUSY_TIMEOUT=5000"
                                                            : "QSQLITE_BUSY_TIMEOUT=5000");
    if (!m_database.open()) {
        throw storeError(m_path, m_database.lastError());
    }
    exec("PRAGMA foreign_keys = ON");
}

void StoreConnection::makeDurable() {
    const QString folder = QFileInfo(QString::fromStdString(m_path)).absolutePath();
    const bool isRemote = isNetworkFileSystem(QStorageInfo(folder).fileSystemType());
    exec(isRemote ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL");
    exec("PRAGMA synchronous = FULL");
}

QSqlQuery StoreConnection::exec(const QString& sql, const QVariantList& values) {
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    if (!query.prepare(sql)) {
        throw storeError(m_path, query.lastError());
    }
    for (const QVariant& value : values) {
        query.addBindValue(value);
    }
    if (!query.exec()) {
        throw storeError(m_path, query.lastError());
    }
    return query;
}

qint64 StoreConnection::insert(const QString& table, const std::vector<std::pair<QString, QVariant>>& row) {
    QStringList columns;
    QStringList places;
    QVariantList values;
    for (const auto& [column, value] : row) {
        columns << column;
        places << QStringLiteral("?");
        values << value;
    }
    const QString sql = QStringLiteral("INSERT INTO %1 (%2) VALUES (%3)")
                            .arg(table, columns.join(QStringLiteral(", ")), places.join(QStringLiteral(", ")));
    return exec(sql, values).lastInsertId().toLongLong();
}

StoreConnection::Transaction::Transaction(StoreConnection& connection) : m_connection(connection) {
    m_connection.exec("BEGIN IMMEDIATE");
}

StoreConnection::Transaction::~Transaction() {
    if (m_isOpen) {
        QSqlQuery(m_connection.m_database).exec("ROLLBACK");  // SQLite may have rolled back already
    }
}

void StoreConnection::Transaction::commit() {
    m_connection.exec("COMMIT");
    m_isOpen = false;
}

bool isNetworkFileSystem(const QByteArray& type) {
    static constexpr std::array kTypes = {"nfs",  "cifs",  "smb", "9p",     "afs",
                                          "ceph", "fuse.", "gfs", "lustre", "glusterfs"};
    return std::any_of(kTypes.begin(), kTypes.end(), [&type](const char* start) { return type.startsWith(start); });
}

}  // namespace kvist::experiments
