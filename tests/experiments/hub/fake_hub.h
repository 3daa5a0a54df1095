// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QCryptographicHash>
#include <QMap>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>
#include <deque>
#include <functional>
#include <vector>

namespace kvist::experiments::test {

/// A Hugging Face hub on this machine that misbehaves on demand. Speaks HTTP/1.1, one request a connection.
class FakeHub : public QTcpServer {
public:
    struct Request {
        QByteArray path;
        QMap<QByteArray, QByteArray> headers;  ///< names in lower case
    };

    struct Reply {
        int status = 200;
        QByteArray body;
        QList<QByteArray> headers = {};
        qint64 cutAfter = -1;   ///< bytes of the body after which the connection is dropped
        bool isSilent = false;  ///< never answers
    };

    FakeHub() {
        listen(QHostAddress::LocalHost);
        connect(this, &QTcpServer::newConnection, this, [this] {
            QTcpSocket* socket = nextPendingConnection();
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(*socket); });
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        });
    }

    QUrl url() const { return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(serverPort())); }

    /// A file as `isLarge` ones are stored with LFS, others in git.
    void add(const QByteArray& name, const QByteArray& content, bool isLarge) {
        files[name] = content;
        large[name] = isLarge;
    }

    static QByteArray checksum(const QByteArray& content, bool isLarge) {
        return isLarge ? QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex()
                       : QCryptographicHash::hash("blob " + QByteArray::number(content.size()) + '\0' + content,
                                                  QCryptographicHash::Sha1)
                             .toHex();
    }

    /// What an honest hub with ranges answers.
    Reply honest(const Request& request) const {
        if (request.path == "/api/models/" + repository + "/revision/main?blobs=true") {
            return {.body = listing()};
        }
        const QByteArray prefix = '/' + repository + "/resolve/" + commit + '/';
        if (!request.path.startsWith(prefix) || !files.contains(request.path.mid(prefix.size()))) {
            return {.status = 404, .body = "not found"};
        }
        const QByteArray content = files[request.path.mid(prefix.size())];
        const QByteArray range = request.headers.value("range");
        if (range.isEmpty()) {
            return {.body = content};
        }
        const qint64 first = range.mid(6).chopped(1).toLongLong();  // "bytes=N-"
        if (first >= content.size()) {
            return {.status = 416, .body = {}};
        }
        return {.status = 206,
                .body = content.mid(first),
                .headers = {"Content-Range: bytes " + QByteArray::number(first) + '-' +
                            QByteArray::number(content.size() - 1) + '/' + QByteArray::number(content.size())}};
    }

    QByteArray listing() const {
        QByteArray siblings;
        for (auto file = files.begin(); file != files.end(); ++file) {
            const QByteArray size = QByteArray::number(file->size());
            const QByteArray digest = listedChecksums.value(file.key(), checksum(*file, large[file.key()]));
            const QByteArray rest =
                large[file.key()] ? R"("blobId": "0123456789012345678901234567890123456789", "lfs": {"sha256": ")" +
                                        digest + R"(", "size": )" + size + "}"
                                  : R"("blobId": ")" + digest + '"';
            siblings += (siblings.isEmpty() ? "" : ",") + QByteArray(R"({"rfilename": ")") + file.key() +
                        R"(", "size": )" + size + ", " + rest + '}';
        }
        return R"({"sha": ")" + commit + R"(", "siblings": [)" + siblings + "]}";
    }

    QByteArray repository = "Qwen/Tiny";
    QByteArray commit = "aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd";
    QMap<QByteArray, QByteArray> files;
    QMap<QByteArray, bool> large;
    QMap<QByteArray, QByteArray> listedChecksums;  ///< in place of the true ones
    /// Answers in place of honest(); given the number of earlier requests for the same path.
    std::function<Reply(const Request&, int)> answer;
    std::vector<Request> requests;

private:
    void read(QTcpSocket& socket) {
        m_pending[&socket] += socket.readAll();
        if (!m_pending[&socket].contains("\r\n\r\n")) {
            return;
        }
        const QList<QByteArray> lines = m_pending.take(&socket).split('\n');
        Request request;
        request.path = lines[0].split(' ').value(1);
        for (const QByteArray& line : lines.mid(1)) {
            const qsizetype colon = line.indexOf(':');
            if (colon > 0) {
                request.headers[line.left(colon).toLower()] = line.mid(colon + 1).trimmed();
            }
        }
        requests.push_back(request);
        const int earlier = m_counts[request.path]++;
        const Reply reply = answer ? answer(request, earlier) : honest(request);
        if (reply.isSilent) {
            return;
        }
        QByteArray head = "HTTP/1.1 " + QByteArray::number(reply.status) + " Status\r\nConnection: close\r\n";
        head += "Content-Length: " + QByteArray::number(reply.body.size()) + "\r\n";
        for (const QByteArray& header : reply.headers) {
            head += header + "\r\n";
        }
        socket.write(head + "\r\n" + (reply.cutAfter < 0 ? reply.body : reply.body.left(reply.cutAfter)));
        socket.flush();
        socket.disconnectFromHost();
    }

    QMap<QTcpSocket*, QByteArray> m_pending;
    QMap<QByteArray, int> m_counts;
};

}  // namespace kvist::experiments::test
