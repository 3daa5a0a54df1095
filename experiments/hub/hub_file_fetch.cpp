// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/hub/hub_file_fetch.h"

#include <algorithm>

namespace kvist::experiments {
namespace {

using std::chrono::milliseconds;

constexpr int kMostAttempts = 6;  ///< in a row without a byte
constexpr int kMostRedirects = 8;
constexpr qint64 kLargestContent = 64 << 20;

int statusOf(const QNetworkReply& reply) {
    return reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
}

bool isSameServer(const QUrl& a, const QUrl& b) {
    return a.scheme() == b.scheme() && a.host() == b.host() && a.port() == b.port();
}

/// "Retry-After" in seconds, at most five minutes.
std::optional<milliseconds> retryAfter(const QNetworkReply& reply) {
    bool isNumber = false;
    const int seconds = reply.rawHeader("Retry-After").toInt(&isNumber);
    return isNumber && seconds >= 0 ? std::optional<milliseconds>(std::chrono::seconds(std::min(seconds, 300)))
                                    : std::nullopt;
}

}  // namespace

HubFileFetch::HubFileFetch(QNetworkAccessManager& network, const HubSettings& settings, const QUrl& address)
    : m_network(network), m_settings(settings), m_address(address) {
    m_wait.setSingleShot(true);
    connect(&m_wait, &QTimer::timeout, this, [this] { request(m_address); });
}

HubFileFetch::HubFileFetch(QNetworkAccessManager& network, const HubSettings& settings, const QUrl& address,
                           const HubFile& file, const QString& partPath, const QString& path)
    : HubFileFetch(network, settings, address) {
    m_part.emplace(file, partPath, path);
}

HubFileFetch::~HubFileFetch() {
    stop();
}

void HubFileFetch::stop() {
    if (m_reply) {
        m_reply->disconnect(this);
        m_reply->abort();
        m_reply->deleteLater();
        m_reply = nullptr;
    }
    m_wait.stop();
    if (m_part) {
        m_part->close();
    }
}

void HubFileFetch::start() {
    if (m_part) {
        if (const QString problem = m_part->open(); !problem.isEmpty()) {
            fail(problem);
            return;
        }
        if (m_part->isWhole()) {
            QTimer::singleShot(0, this, &HubFileFetch::endFile);
            return;
        }
    }
    request(m_address);
}

void HubFileFetch::request(const QUrl& address) {
    QNetworkRequest request(address);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setTransferTimeout(static_cast<int>(m_settings.timeout.count()));
    request.setRawHeader("User-Agent", "kvist");
    request.setRawHeader("Accept-Encoding", "identity");
    // A file may lie on another server, which must not learn the token.
    if (!m_settings.token.isEmpty() && isSameServer(address, m_settings.endpoint)) {
        request.setRawHeader("Authorization", "Bearer " + m_settings.token.toUtf8());
    }
    if (done() > 0) {
        request.setRawHeader("Range", "bytes=" + QByteArray::number(done()) + '-');
    }
    m_doneAtRequest = done();
    m_isBody = false;
    m_content.clear();
    m_reply = m_network.get(request);
    connect(m_reply, &QNetworkReply::metaDataChanged, this, &HubFileFetch::takeHeaders);
    connect(m_reply, &QNetworkReply::readyRead, this, &HubFileFetch::takeBytes);
    connect(m_reply, &QNetworkReply::finished, this, &HubFileFetch::end);
}

void HubFileFetch::takeHeaders() {
    const int status = statusOf(*m_reply);
    if (!m_part) {
        m_isBody = status == 200;
        return;
    }
    if (status == 206) {
        const QByteArray expected = "bytes " + QByteArray::number(done()) + '-';
        m_isBody = m_reply->rawHeader("Content-Range").startsWith(expected);
    } else if (status == 200) {
        if (done() > 0 && done() == m_doneAtRequest) {
            m_part->restart();  // the server knows no ranges and sends the whole
            m_doneAtRequest = 0;
        }
        m_isBody = true;
    }
}

void HubFileFetch::takeBytes() {
    const QByteArray bytes = m_reply->isOpen() ? m_reply->readAll() : QByteArray();
    if (!m_isBody || bytes.isEmpty()) {
        return;
    }
    if (!m_part) {
        m_content += bytes;
        if (m_content.size() > kLargestContent) {
            fail(QStringLiteral("the answer is larger than any list of files"));
        }
        return;
    }
    if (const QString problem = m_part->append(bytes); !problem.isEmpty()) {
        fail(problem);
        return;
    }
    Q_EMIT advanced();
}

void HubFileFetch::end() {
    if (!m_reply) {
        return;
    }
    takeBytes();
    if (!m_reply) {
        return;
    }
    QNetworkReply& reply = *m_reply;
    reply.deleteLater();
    const int status = statusOf(reply);
    if (status >= 300 && status < 400) {
        redirect();
        return;
    }
    m_redirects = 0;
    if (m_part && status == 416) {  // what is there does not belong to the file
        m_part->restart();
        tryAgain(QStringLiteral("the hub cannot go on from where the file was cut"));
        return;
    }
    if (status == 429 || status >= 500) {
        tryAgain(explained(status), retryAfter(reply));
        return;
    }
    if (status >= 400) {
        fail(explained(status));
        return;
    }
    if (reply.error() != QNetworkReply::NoError || !m_isBody) {
        tryAgain(reply.error() == QNetworkReply::OperationCanceledError ? QStringLiteral("nothing came for too long")
                                                                        : reply.errorString());
        return;
    }
    if (!m_part) {
        m_reply = nullptr;
        Q_EMIT finished();
    } else if (!m_part->isWhole()) {
        tryAgain(QStringLiteral("the connection was closed"));
    } else {
        endFile();
    }
}

void HubFileFetch::endFile() {
    m_reply = nullptr;
    if (!m_part->hasRightChecksum()) {
        if (++m_mismatches > 1) {
            m_part->remove();
            fail(QStringLiteral("the checksum is wrong twice; the file was damaged on its way or on the hub"));
            return;
        }
        m_part->restart();
        tryAgain(QStringLiteral("the checksum is wrong"));
        return;
    }
    if (const QString problem = m_part->finish(); !problem.isEmpty()) {
        fail(problem);
        return;
    }
    Q_EMIT finished();
}

void HubFileFetch::redirect() {
    const QUrl target =
        m_reply->url().resolved(m_reply->attribute(QNetworkRequest::RedirectionTargetAttribute).toUrl());
    const bool isSafe = target.scheme() == QStringLiteral("https") ||
                        (target.scheme() == QStringLiteral("http") && m_reply->url().scheme() == target.scheme());
    if (!isSafe || target.host().isEmpty() || ++m_redirects > kMostRedirects) {
        fail(QStringLiteral("a redirect to %1 is not followed").arg(target.toDisplayString()));
        return;
    }
    request(target);
}

void HubFileFetch::tryAgain(const QString& reason, std::optional<milliseconds> wait) {
    m_reply = nullptr;
    m_attempts = done() > m_doneAtRequest ? 1 : m_attempts + 1;
    if (m_attempts >= kMostAttempts) {
        fail(reason +
             QStringLiteral("; tried %1 times, start the download again later: it goes on from here").arg(m_attempts));
        return;
    }
    m_wait.start(wait.value_or(m_settings.retryDelay * (1 << (m_attempts - 1))));
}

void HubFileFetch::fail(const QString& reason) {
    stop();
    const QString what = m_part ? m_part->name() : m_address.toDisplayString();
    QTimer::singleShot(0, this, [this, message = what + QStringLiteral(": ") + reason] { Q_EMIT failed(message); });
}

QString HubFileFetch::explained(int status) const {
    switch (status) {
        case 401:
            return m_settings.token.isEmpty()
                       ? QStringLiteral(
                             "the hub asks for a token (401), or there is no such repository; put one into "
                             "HF_TOKEN or log in with the hub's own program")
                       : QStringLiteral("the hub refuses the token (401); make a new one");
        case 403:
            return QStringLiteral("access is not granted (403); accept the conditions on the model's page");
        case 404:
            return QStringLiteral("not on the hub (404); check repository and revision");
        case 429:
            return QStringLiteral("too many requests (429)");
        default:
            return QStringLiteral("the hub answers with status %1").arg(status);
    }
}

}  // namespace kvist::experiments
