// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/hub/hub_part_file.h"

namespace kvist::experiments {
namespace {

constexpr qint64 kBlock = 1 << 20;

}  // namespace

HubPartFile::HubPartFile(const HubFile& file, const QString& partPath, const QString& path)
    : m_file(file),
      m_path(path),
      m_part(partPath),
      m_lock(partPath + QStringLiteral(".lock")),
      m_hash(file.isLarge ? QCryptographicHash::Sha256 : QCryptographicHash::Sha1) {}

QString HubPartFile::open() {
    if (!m_lock.tryLock()) {
        return QStringLiteral("another program is fetching it into %1").arg(m_part.fileName());
    }
    if (!m_part.open(QIODevice::ReadWrite)) {
        return problem();
    }
    if (m_part.size() > m_file.size) {
        m_part.resize(0);
    }
    beginHash();
    for (QByteArray block = m_part.read(kBlock); !block.isEmpty(); block = m_part.read(kBlock)) {
        m_hash.addData(block);
        m_done += block.size();
    }
    return {};
}

QString HubPartFile::append(const QByteArray& bytes) {
    if (m_done + bytes.size() > m_file.size) {
        return QStringLiteral("more bytes came than the %1 that the hub lists").arg(m_file.size);
    }
    if (m_part.write(bytes) != bytes.size() || !m_part.flush()) {
        return problem();
    }
    m_hash.addData(bytes);
    m_done += bytes.size();
    return {};
}

void HubPartFile::restart() {
    m_part.resize(0);
    m_part.seek(0);
    beginHash();
}

QString HubPartFile::finish() {
    m_part.close();
    QFile::remove(m_path);
    return m_part.rename(m_path) ? QString() : m_path + QStringLiteral(": ") + m_part.errorString();
}

void HubPartFile::close() {
    m_part.close();
    m_lock.unlock();
}

bool HubPartFile::hasRightChecksum() const {
    return QString::fromLatin1(m_hash.result().toHex()) == m_file.checksum;
}

void HubPartFile::beginHash() {
    m_done = 0;
    m_hash.reset();
    if (!m_file.isLarge) {  // as git hashes its blobs
        m_hash.addData("blob " + QByteArray::number(m_file.size) + '\0');
    }
}

}  // namespace kvist::experiments
