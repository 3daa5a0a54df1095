// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/file_hash.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

namespace kvist::experiments {

Result<std::string> FileHash::of(const std::string& path, std::stop_token stop) {
    constexpr qint64 kBlock = 1 << 20;
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly)) {
        return Refusal{"", path + " cannot be read: " + file.errorString().toStdString()};
    }
    const QFileInfo info(file);
    if (const auto known = m_known.find(path);
        known != m_known.end() && known->second.size == info.size() && known->second.modified == info.lastModified()) {
        return known->second.hash;
    }
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (QByteArray block = file.read(kBlock); !block.isEmpty(); block = file.read(kBlock)) {
        if (stop.stop_requested()) {
            return Refusal{"", "stopped"};
        }
        hash.addData(block);
    }
    if (file.error() != QFileDevice::NoError) {
        return Refusal{"", path + " cannot be read: " + file.errorString().toStdString()};
    }
    const std::string hex = hash.result().toHex().toStdString();
    m_known[path] = {info.size(), info.lastModified(), hex};
    return hex;
}

}  // namespace kvist::experiments
