// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QUrl>
#include <chrono>
#include <optional>

#include "experiments/hub/hub_part_file.h"
#include "experiments/hub/hub_settings.h"

namespace kvist::experiments {

/// Fetches one address of the hub over HTTP: follows redirects, tries again after drops and where the hub asks to wait,
/// and resumes files where their part ends.
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
    qint64 done() const { return m_part ? m_part->done() : 0; }

Q_SIGNALS:
    void advanced();
    void finished();
    void failed(const QString& message);

private:
    void request(const QUrl& address);
    void takeHeaders();
    void takeBytes();
    void end();
    void endFile();
    void redirect();
    void tryAgain(const QString& reason, std::optional<std::chrono::milliseconds> wait = std::nullopt);
    void fail(const QString& reason);
    QString explained(int status) const;

    QNetworkAccessManager& m_network;
    const HubSettings& m_settings;
    const QUrl m_address;
    std::optional<HubPartFile> m_part;  // none: the content goes into memory
    QByteArray m_content;
    QPointer<QNetworkReply> m_reply;
    QTimer m_wait;
    qint64 m_doneAtRequest = 0;
    int m_attempts = 0;
    int m_redirects = 0;
    int m_mismatches = 0;
    bool m_isBody = false;  // whether what comes is the content, and not the text of an error
};

}  // namespace kvist::experiments
