// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QString>
#include <QVariant>
#include <string>
#include <utility>
#include <vector>

namespace kvist::experiments {

/// One connection to a store, used in the thread that made it and nowhere else. Needs a QCoreApplication.
/// Everything throws StoreError.
class StoreConnection {
public:
    enum class Access { ReadWrite, ReadOnly };

    /// Opens (for writing: creates) the file, with foreign keys and five seconds of patience with other writers.
    StoreConnection(const std::string& path, Access access);
    ~StoreConnection();
    StoreConnection(const StoreConnection&) = delete;
    StoreConnection& operator=(const StoreConnection&) = delete;

    const std::string& path() const { return m_path; }

    /// Full synchronisation and a write-ahead log, but for network mounts, where the latter is unsafe.
    void makeDurable();

    /// Runs one statement with its values bound in order.
    QSqlQuery exec(const QString& sql, const QVariantList& values = {});

    /// Adds a row with these columns and values and returns its number.
    qint64 insert(const QString& table, const std::vector<std::pair<QString, QVariant>>& row);

    /// Runs `work` in one transaction: all of it is stored, or nothing where it throws.
    template <typename Work>
    auto inTransaction(Work&& work) {
        Transaction transaction(*this);
        if constexpr (std::is_void_v<decltype(work())>) {
            work();
            transaction.commit();
        } else {
            auto result = work();
            transaction.commit();
            return result;
        }
    }

private:
    class Transaction {
    public:
        explicit Transaction(StoreConnection& connection);
        ~Transaction();
        void commit();

    private:
        StoreConnection& m_connection;
        bool m_isOpen = true;
    };

    void setUp(Access access);

    std::string m_path;
    QString m_name;
    QSqlDatabase m_database;
};

/// True for file systems as QStorageInfo names them ("nfs4", "cifs", "fuse.sshfs") that lie on another machine.
bool isNetworkFileSystem(const QByteArray& type);

}  // namespace kvist::experiments
