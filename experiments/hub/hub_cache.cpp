// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/hub/hub_cache.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStorageInfo>
#include <algorithm>
#include <filesystem>
#include <limits>

#include "experiments/file_text.h"

namespace kvist::experiments {

HubCache::HubCache(const QString& cache, const HubRequest& request)
    : m_request(request),
      m_folder(QDir(cache).filePath(QStringLiteral("models--") +
                                    QString(request.repository).replace(QLatin1Char('/'), QStringLiteral("--")))) {}

QString HubCache::blobPath(const HubFile& file) const {
    return m_folder + QStringLiteral("/blobs/") + file.checksum;
}

bool HubCache::has(const HubFile& file) const {
    const QFileInfo blob(blobPath(file));
    return blob.isFile() && blob.size() == file.size;
}

qint64 HubCache::missingBytes(const std::vector<HubFile>& files) const {
    qint64 sum = 0;
    for (const HubFile& file : files) {
        if (!has(file)) {
            sum += std::max<qint64>(0, file.size - QFileInfo(partPath(file)).size());
        }
    }
    return sum;
}

qint64 HubCache::freeBytes() const {
    const QStorageInfo disk(m_folder);
    return disk.isValid() ? disk.bytesAvailable() : std::numeric_limits<qint64>::max();
}

Result<bool> HubCache::prepare() const {
    for (const char* name : {"blobs", "snapshots", "refs"}) {
        if (!QDir().mkpath(m_folder + QLatin1Char('/') + QLatin1String(name))) {
            return Refusal{"cache", m_folder.toStdString() +
                                        ": the folder cannot be made; set HF_HOME to a place where "
                                        "you may write"};
        }
    }
    return true;
}

Result<QString> HubCache::finish(const HubListing& listing, const std::vector<HubFile>& files) const {
    const QString snapshot = m_folder + QStringLiteral("/snapshots/") + listing.commit;
    const auto refuse = [](const QString& path, const std::string& why) {
        return Refusal{"cache", path.toStdString() + ": " + why};
    };
    if (!QDir().mkpath(snapshot)) {
        return refuse(snapshot, "the folder cannot be made");
    }
    for (const HubFile& file : files) {
        // Not QFile::link(): it would make the link absolute, and the cache may be moved.
        const std::filesystem::path link = (snapshot + QLatin1Char('/') + file.name).toStdString();
        std::error_code error;
        std::filesystem::remove(link, error);
        std::filesystem::create_symlink("../../blobs/" + file.checksum.toStdString(), link, error);
        if (error) {
            return refuse(QString::fromStdString(link.string()), error.message());
        }
    }
    if (m_request.revision != listing.commit) {
        const QString path = m_folder + QStringLiteral("/refs/") + m_request.revision;
        QDir().mkpath(QFileInfo(path).path());
        if (const auto written = writeFile(path.toStdString(), listing.commit.toStdString()); !written) {
            return Refusal{"cache", written.refusal().message};
        }
    }
    return m_request.file.isEmpty() ? snapshot : snapshot + QLatin1Char('/') + m_request.file;
}

}  // namespace kvist::experiments
