// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QNetworkAccessManager>
#include <QObject>
#include <chrono>
#include <memory>
#include <vector>

#include "experiments/hub/hub_cache.h"
#include "experiments/hub/hub_file_fetch.h"
#include "experiments/hub/hub_listing.h"
#include "experiments/hub/hub_settings.h"

namespace kvist::experiments {

/// How far a download is.
struct HubProgress {
    QString file;     ///< being fetched
    qint64 done = 0;  ///< bytes of all files, those that were there before included
    qint64 total = 0;
    double perSecond = 0;  ///< bytes, over the time since start() without what was there before
};

/// Fetches a model of the Hugging Face hub into the user's cache, from where it was interrupted before. Asynchronous:
/// lives in a thread with an event loop and never blocks it for long. The token goes to the endpoint's host alone.
class HubDownload : public QObject {
    Q_OBJECT
public:
    HubDownload(HubSettings settings, HubRequest request, QObject* parent = nullptr);
    ~HubDownload() override;

    /// Once. Ends with finished() or failed(), from the event loop.
    void start();

    /// Ends without a further signal; what has come stays for the next time.
    void cancel();

Q_SIGNALS:
    /// After the list of files has come, then at most ten times a second.
    void progressed(const kvist::experiments::HubProgress& progress);
    /// The folder or GGUF file to open.
    void finished(const QString& path);
    void failed(const QString& message);

private:
    void requestListing();
    void takeListing(const QByteArray& answer);
    void fetchNext();
    void fileDone();
    void report(bool isForced);
    void fail(const QString& message);

    const HubSettings m_settings;
    const HubRequest m_request;
    const HubCache m_cache;
    QNetworkAccessManager m_network;
    std::unique_ptr<HubFileFetch> m_fetch;  // the listing, then one file after the other
    HubListing m_listing;
    std::vector<HubFile> m_files;
    std::size_t m_next = 0;
    qint64 m_total = 0;
    qint64 m_before = 0;   // bytes of files that are done
    qint64 m_resumed = 0;  // bytes that were there before
    std::chrono::steady_clock::time_point m_started;
    std::chrono::steady_clock::time_point m_reported;
};

}  // namespace kvist::experiments
