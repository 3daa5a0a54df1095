// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/hub/hub_download.h"

#include <QNetworkProxyFactory>
#include <QTimer>
#include <algorithm>
#include <utility>

namespace kvist::experiments {
namespace {

/// The proxies that the environment or the desktop sets.
class SystemProxies : public QNetworkProxyFactory {
public:
    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery& query) override { return systemProxyForQuery(query); }
};

constexpr auto kReportInterval = std::chrono::milliseconds(100);

}  // namespace

HubDownload::HubDownload(HubSettings settings, HubRequest request, QObject* parent)
    : QObject(parent),
      m_settings(std::move(settings)),
      m_request(std::move(request)),
      m_cache(m_settings.cache, m_request),
      m_network(this) {                            // as a child it goes along to another thread
    m_network.setProxyFactory(new SystemProxies);  // the manager deletes it
}

HubDownload::~HubDownload() = default;

void HubDownload::start() {
    m_started = std::chrono::steady_clock::now();
    const auto request = checkedRequest(m_request);
    if (!request) {
        fail(QString::fromStdString(request.refusal().message));
        return;
    }
    requestListing();
}

void HubDownload::cancel() {
    if (m_fetch) {
        m_fetch->disconnect(this);
        m_fetch->stop();
        m_fetch.release()->deleteLater();  // the call may come from one of its signals
    }
}

void HubDownload::requestListing() {
    QUrl address = m_settings.endpoint;
    // A "/" in the name of a branch must not become a part of the path.
    address.setPath(address.path() + QStringLiteral("/api/models/%1/revision/").arg(m_request.repository) +
                        QString::fromLatin1(QUrl::toPercentEncoding(m_request.revision)),
                    QUrl::TolerantMode);
    address.setQuery(QStringLiteral("blobs=true"));
    m_fetch = std::make_unique<HubFileFetch>(m_network, m_settings, address);
    connect(m_fetch.get(), &HubFileFetch::finished, this, [this] { takeListing(m_fetch->content()); });
    connect(m_fetch.get(), &HubFileFetch::failed, this, &HubDownload::fail);
    m_fetch->start();
}

void HubDownload::takeListing(const QByteArray& answer) {
    auto listing = parseListing(answer);
    if (!listing) {
        fail(QString::fromStdString(listing.refusal().message));
        return;
    }
    m_listing = *std::move(listing);
    auto files = neededFiles(m_listing, m_request);
    if (!files) {
        fail(QString::fromStdString(files.refusal().message));
        return;
    }
    m_files = *std::move(files);
    if (const auto made = m_cache.prepare(); !made) {
        fail(QString::fromStdString(made.refusal().message));
        return;
    }
    const qint64 missing = m_cache.missingBytes(m_files);
    if (missing > m_cache.freeBytes()) {
        fail(tr("%1: %2 MiB are still to come, %3 MiB are free on the disk")
                 .arg(m_cache.folder())
                 .arg(missing >> 20)
                 .arg(m_cache.freeBytes() >> 20));
        return;
    }
    for (const HubFile& file : m_files) {
        m_total += file.size;
    }
    m_resumed = m_total - missing;
    report(true);
    fetchNext();
}

void HubDownload::fetchNext() {
    while (m_next < m_files.size() && m_cache.has(m_files[m_next])) {
        m_before += m_files[m_next++].size;
    }
    if (m_next == m_files.size()) {
        m_fetch.release()->deleteLater();
        report(true);
        const auto path = m_cache.finish(m_listing, m_files);
        if (path) {
            Q_EMIT finished(*path);
        } else {
            fail(QString::fromStdString(path.refusal().message));
        }
        return;
    }
    const HubFile& file = m_files[m_next];
    QUrl address = m_settings.endpoint;
    address.setPath(address.path() +
                    QStringLiteral("/%1/resolve/%2/%3").arg(m_request.repository, m_listing.commit, file.name));
    m_fetch.release()->deleteLater();  // its signal may be what brought us here
    m_fetch = std::make_unique<HubFileFetch>(m_network, m_settings, address, file, m_cache.partPath(file),
                                             m_cache.blobPath(file));
    connect(m_fetch.get(), &HubFileFetch::advanced, this, [this] { report(false); });
    connect(m_fetch.get(), &HubFileFetch::finished, this, &HubDownload::fileDone);
    connect(m_fetch.get(), &HubFileFetch::failed, this, &HubDownload::fail);
    m_fetch->start();
}

void HubDownload::fileDone() {
    m_before += m_files[m_next++].size;
    fetchNext();
}

void HubDownload::report(bool isForced) {
    const auto now = std::chrono::steady_clock::now();
    if (!isForced && now - m_reported < kReportInterval) {
        return;
    }
    m_reported = now;
    const bool isFile = m_next < m_files.size();
    HubProgress progress;
    progress.file = isFile ? m_files[m_next].name : QString();
    progress.done = std::max(m_resumed, m_before + (isFile && m_fetch ? m_fetch->done() : 0));
    progress.total = m_total;
    const double seconds = std::chrono::duration<double>(now - m_started).count();
    progress.perSecond = seconds > 0 ? static_cast<double>(progress.done - m_resumed) / seconds : 0;
    Q_EMIT progressed(progress);
}

void HubDownload::fail(const QString& message) {
    if (m_fetch) {
        m_fetch.release()->deleteLater();
    }
    QTimer::singleShot(0, this, [this, message] { Q_EMIT failed(message); });
}

}  // namespace kvist::experiments
