// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCryptographicHash>
#include <QFile>
#include <QLockFile>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QUrl>
#include <chrono>
#include <optional>

#include "experiments/hub/hub_listing.h"
#include "experiments/hub/hub_settings.h"

namespace kvist::experiments {

/// Fetches one address of the hub over HTTP: follows redirects, tries again after drops and where the hub asks to wait,
/// and for files resumes where `partPath` ends and checks size and checksum.
class HubFileFetch : public QObject {
    Q_OBJECT
public:
    /// The content into memory, at most 64 MiB (lists of files).
    HubFileFetch(QNetworkAccessManager& network, const HubSettings& settings, const QUrl& address);
    /// A file, first at `partPath`, in the end at `path`.
    HubFileFetch(QNetworkAccessManager& network, const HubSettings& settings, const QUrl& address, const HubFile& file,
                 const QString& partPath, const QString& path);
    ~HubFileFetch() override;

    void start();
    /// Nothing more is asked for or written; no signal comes.
    void stop();

    const QByteArray& content() const { return m_content; }
    /// Bytes of the file so far.
    qint64 done() const { return m_done; }

Q_SIGNALS:
    void advanced();
    void finished();
    void failed(const QString& message);

private:
    bool openPart();
    void request(const QUrl& address);
    void takeHeaders();
    void takeBytes();
    void end();
    void endFile();
    void redirect();
    void tryAgain(const QString& reason, std::optional<std::chrono::milliseconds> wait = std::nullopt);
    void restartFile();
    void fail(const QString& reason);
    QString explained(int status) const;

    QNetworkAccessManager& m_network;
    const HubSettings& m_settings;
    const QUrl m_address;
    const std::optional<HubFile> m_file;
    const QString m_path;
    QFile m_part;
    QLockFile m_lock;  // two programs must not write one part
    QByteArray m_content;
    QCryptographicHash m_hash;
    QPointer<QNetworkReply> m_reply;
    QTimer m_wait;
    qint64 m_done = 0;
    qint64 m_doneAtRequest = 0;
    int m_attempts = 0;
    int m_redirects = 0;
    int m_mismatches = 0;
    bool m_isBody = false;  // whether what comes is the content, and not the text of an error
};

}  // namespace kvist::experiments
