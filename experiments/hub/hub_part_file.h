// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCryptographicHash>
#include <QFile>
#include <QLockFile>
#include <QString>

#include "experiments/hub/hub_listing.h"

namespace kvist::experiments {

/// A file of the hub while it comes: bytes are added to a part that outlives the program, hashed on the way, and moved
/// to their place when size and checksum are right. Members return what went wrong, or nothing.
class HubPartFile {
public:
    /// First at `partPath`, in the end at `path`.
    HubPartFile(const HubFile& file, const QString& partPath, const QString& path);

    /// Takes up what an earlier program left. Refused while another program writes it.
    QString open();
    /// Refuses more bytes than the hub lists.
    QString append(const QByteArray& bytes);
    /// Drops what has come.
    void restart();
    /// Moves the whole file to its place.
    QString finish();
    void remove() { m_part.remove(); }
    /// Lets another program go on with it.
    void close();

    const QString& name() const { return m_file.name; }
    qint64 done() const { return m_done; }  ///< bytes so far
    bool isWhole() const { return m_done == m_file.size; }
    bool hasRightChecksum() const;

private:
    void beginHash();
    QString problem() const { return m_part.fileName() + QStringLiteral(": ") + m_part.errorString(); }

    const HubFile m_file;
    const QString m_path;
    QFile m_part;
    QLockFile m_lock;  // two programs must not write one part
    QCryptographicHash m_hash;
    qint64 m_done = 0;
};

}  // namespace kvist::experiments
