// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/hub/hub_download.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <memory>
#include <vector>

#include "tests/experiments/hub/fake_hub.h"

namespace kvist::experiments {

using test::FakeHub;

/// How a download ended.
struct Outcome {
    QString path;
    QString message;
    std::vector<HubProgress> progress;
};

class HubDownloadTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_hub = std::make_unique<FakeHub>();
        QByteArray weights;
        for (int i = 0; i < 300000; ++i) {
            weights += static_cast<char>(i * 2654435761U >> 24);
        }
        m_weights = weights;
        m_hub->add("config.json", R"({"model_type": "qwen2"})", false);
        m_hub->add("tokenizer.json", "{}", false);
        m_hub->add("model.safetensors", weights, true);
        m_hub->add("pytorch_model.bin", "not needed", true);
        m_hub->add("README.md", "not needed", false);
    }

    void fetchesTheModelIntoTheCache() {
        const Outcome outcome = download();
        QCOMPARE(outcome.message, QString());
        const QString repository = m_folder->filePath("models--Qwen--Tiny");
        QCOMPARE(outcome.path, repository + "/snapshots/" + m_hub->commit);
        QCOMPARE(QDir(outcome.path).entryList(QDir::Files),
                 (QStringList{"config.json", "model.safetensors", "tokenizer.json"}));
        QCOMPARE(bytesOf(outcome.path + "/model.safetensors"), m_weights);
        // As the hub's own library lays it out: relative links to blobs by checksum, and the reference.
        const QByteArray digest = FakeHub::checksum(m_weights, true);
        const std::filesystem::path link = (outcome.path + "/model.safetensors").toStdString();
        QVERIFY(std::filesystem::is_symlink(link));
        QCOMPARE(std::filesystem::read_symlink(link).string(), ("../../blobs/" + digest).toStdString());
        QCOMPARE(bytesOf(repository + "/refs/main"), m_hub->commit);
        QCOMPARE(QDir(repository + "/blobs").entryList(QDir::Files).size(), 3);
        QVERIFY(!outcome.progress.empty());
        QCOMPARE(outcome.progress.back().done, outcome.progress.back().total);
        QCOMPARE(outcome.progress.back().total, m_weights.size() + 23 + 2);
        QVERIFY(outcome.progress.back().perSecond > 0);
    }

    void aChatTemplateInAFileOfItsOwnComesToo() {
        m_hub->add("chat_template.jinja", "{{ 'x' }}", false);
        QCOMPARE(bytesOf(download().path + "/chat_template.jinja"), QByteArray("{{ 'x' }}"));
    }

    void asksForNothingTwice() {
        download();
        const std::size_t before = m_hub->requests.size();
        QCOMPARE(download().message, QString());
        QCOMPARE(m_hub->requests.size(), before + 1);  // the list of files alone
    }

    void goesOnAfterDrops() {
        m_hub->answer = [this](const FakeHub::Request& request, int earlier) {
            FakeHub::Reply reply = m_hub->honest(request);
            if (request.path.endsWith("model.safetensors") && earlier < 3) {
                reply.cutAfter = 50000;
            }
            return reply;
        };
        const Outcome outcome = download();
        QCOMPARE(outcome.message, QString());
        QCOMPARE(bytesOf(outcome.path + "/model.safetensors"), m_weights);
        QCOMPARE(rangesOf("model.safetensors"),
                 (QList<QByteArray>{"", "bytes=50000-", "bytes=100000-", "bytes=150000-"}));
    }

    void goesOnAfterAnEarlierProgram() {
        m_hub->answer = [this](const FakeHub::Request& request, int) {
            FakeHub::Reply reply = m_hub->honest(request);
            reply.cutAfter = request.path.endsWith("model.safetensors") ? 70000 : -1;
            return reply;
        };
        HubSettings patient = settings();
        patient.retryDelay = std::chrono::minutes(1);
        HubDownload first(patient, request());
        first.start();
        const QString part =
            m_folder->filePath("models--Qwen--Tiny/blobs/" + FakeHub::checksum(m_weights, true)) + ".incomplete";
        QTRY_VERIFY(QFileInfo(part).size() >= 70000);
        first.cancel();
        const qint64 there = QFileInfo(part).size();
        m_hub->answer = nullptr;
        m_hub->requests.clear();
        const Outcome outcome = download();
        QCOMPARE(outcome.message, QString());
        QCOMPARE(rangesOf("model.safetensors"), QList<QByteArray>{"bytes=" + QByteArray::number(there) + '-'});
        QCOMPARE(bytesOf(outcome.path + "/model.safetensors"), m_weights);
        QVERIFY(outcome.progress.front().done >= there);
    }

    void startsAgainWhereTheServerKnowsNoRanges() {
        m_hub->answer = [this](FakeHub::Request request, int earlier) {
            request.headers.remove("range");
            FakeHub::Reply reply = m_hub->honest(request);
            reply.cutAfter = request.path.endsWith("model.safetensors") && earlier == 0 ? 50000 : -1;
            return reply;
        };
        const Outcome outcome = download();
        QCOMPARE(outcome.message, QString());
        QCOMPARE(bytesOf(outcome.path + "/model.safetensors"), m_weights);
    }

    void waitsWhereTheHubAsksTo() {
        m_hub->answer = [this](const FakeHub::Request& request, int earlier) {
            return earlier == 0 ? FakeHub::Reply{.status = 429, .body = "slow down", .headers = {"Retry-After: 0"}}
                                : m_hub->honest(request);
        };
        QCOMPARE(download().message, QString());
        m_hub->answer = [](const FakeHub::Request&, int) { return FakeHub::Reply{.status = 503, .body = "later"}; };
        const Outcome outcome = download();
        QVERIFY2(outcome.message.contains("503"), qPrintable(outcome.message));
        QVERIFY2(outcome.message.contains("tried 6 times"), qPrintable(outcome.message));
    }

    void saysWhatTheHubRefuses() {
        const auto messageFor = [this](int status, const QString& token) {
            m_hub->answer = [status](const FakeHub::Request&, int) {
                return FakeHub::Reply{.status = status, .body = "no"};
            };
            HubSettings with = settings();
            with.token = token;
            return download(with).message;
        };
        QVERIFY(messageFor(401, {}).contains("HF_TOKEN"));
        QVERIFY(messageFor(401, "secret").contains("refuses the token"));
        QVERIFY(messageFor(403, "secret").contains("accept the conditions"));
        QVERIFY(messageFor(404, {}).contains("check repository and revision"));
    }

    void followsRedirectsWithoutGivingTheTokenAway() {
        FakeHub store;
        store.files = m_hub->files;
        m_hub->answer = [&](const FakeHub::Request& request, int) {
            return request.path.endsWith("model.safetensors")
                       ? FakeHub::Reply{.status = 302,
                                        .body = {},
                                        .headers = {"Location: " + store.url().toEncoded() + request.path}}
                       : m_hub->honest(request);
        };
        HubSettings with = settings();
        with.token = "secret";
        const Outcome outcome = download(with);
        QCOMPARE(outcome.message, QString());
        QCOMPARE(bytesOf(outcome.path + "/model.safetensors"), m_weights);
        for (const auto& request : m_hub->requests) {
            QCOMPARE(request.headers.value("authorization"), "Bearer secret");
        }
        QCOMPARE(store.requests.size(), 1u);
        QVERIFY(!store.requests[0].headers.contains("authorization"));
    }

    void endlessAndUnsafeRedirectsAreRefused() {
        m_hub->answer = [](const FakeHub::Request& request, int) {
            return FakeHub::Reply{.status = 302, .body = {}, .headers = {"Location: " + request.path}};
        };
        QVERIFY(download().message.contains("redirect"));
        m_hub->answer = [](const FakeHub::Request&, int) {
            return FakeHub::Reply{.status = 302, .body = {}, .headers = {"Location: file:///etc/passwd"}};
        };
        QVERIFY(download().message.contains("redirect"));
    }

    void damagedFilesAreFetchedAgainAndThenRefused() {
        m_hub->answer = [this](const FakeHub::Request& request, int earlier) {
            FakeHub::Reply reply = m_hub->honest(request);
            if (request.path.endsWith("model.safetensors") && earlier == 0) {
                reply.body[1000] = static_cast<char>(reply.body[1000] ^ 1);
            }
            return reply;
        };
        QCOMPARE(download().message, QString());
        m_folder = std::make_unique<QTemporaryDir>();
        m_hub->answer = nullptr;
        m_hub->listedChecksums["config.json"] = QByteArray(40, '0');
        const Outcome outcome = download();
        QVERIFY2(outcome.message.contains("config.json: the checksum is wrong"), qPrintable(outcome.message));
        QVERIFY(!QFile::exists(m_folder->filePath("models--Qwen--Tiny/blobs/" + QByteArray(40, '0'))));
    }

    void silenceEndsTheAttempt() {
        m_hub->answer = [](const FakeHub::Request&, int) { return FakeHub::Reply{.body = {}, .isSilent = true}; };
        HubSettings with = settings();
        with.timeout = std::chrono::milliseconds(50);
        const Outcome outcome = download(with);
        QVERIFY2(outcome.message.contains("too long"), qPrintable(outcome.message));
    }

    void ggufFilesComeByName() {
        m_hub->files.clear();
        m_hub->add("q4-00001-of-00002.gguf", "first", true);
        m_hub->add("q4-00002-of-00002.gguf", "second", true);
        m_hub->add("q8.gguf", "other", true);
        const QString message = download().message;
        QVERIFY2(message.contains("q8.gguf"), qPrintable(message));
        HubRequest parts = request();
        parts.file = "q4-00001-of-00002.gguf";
        const Outcome outcome = download(settings(), parts);
        QCOMPARE(outcome.message, QString());
        QVERIFY(outcome.path.endsWith("/q4-00001-of-00002.gguf"));
        QCOMPARE(QFileInfo(outcome.path).dir().entryList(QDir::Files),
                 (QStringList{"q4-00001-of-00002.gguf", "q4-00002-of-00002.gguf"}));
        parts.file = "q5.gguf";
        QVERIFY(download(settings(), parts).message.contains("no q5.gguf"));
    }

    void namesThatLeaveTheFolderAreRefused() {
        for (const char* name : {"Qwen", "../x", "Qwen/..", "a/b/c", "Qwen/Tiny?x", "", "a--b/c"}) {
            HubRequest wrong = request();
            wrong.repository = name;
            QVERIFY2(!checkedRequest(wrong), name);
        }
        HubRequest wrong = request();
        wrong.revision = "../../x";
        QVERIFY(!checkedRequest(wrong));
        wrong = request();
        wrong.file = "../x.gguf";
        QVERIFY(!checkedRequest(wrong));
        m_hub->add("../model.safetensors", "evil", true);
        QCOMPARE(download().message, QString());
        QVERIFY(parseListing("{}").refusal().message.find("endpoint") != std::string::npos);
        QVERIFY(!parseListing("<html>"));
    }

    void twoProgramsDoNotWriteOneFile() {
        m_hub->answer = [this](const FakeHub::Request& request, int) {
            FakeHub::Reply reply = m_hub->honest(request);
            reply.isSilent = request.path.endsWith("model.safetensors");
            return reply;
        };
        HubDownload first(settings(), request());
        first.start();
        QTRY_VERIFY(!rangesOf("model.safetensors").isEmpty());
        QVERIFY(download().message.contains("another program"));
    }

private:
    HubSettings settings() const {
        HubSettings settings;
        settings.endpoint = m_hub->url();
        settings.cache = m_folder->path();
        settings.retryDelay = std::chrono::milliseconds(1);
        return settings;
    }

    static HubRequest request() { return {.repository = "Qwen/Tiny", .revision = "main", .file = {}}; }

    Outcome download() { return download(settings()); }
    Outcome download(const HubSettings& settings) { return download(settings, request()); }
    Outcome download(const HubSettings& settings, const HubRequest& request) {
        HubDownload download(settings, request);
        Outcome outcome;
        bool hasEnded = false;
        connect(&download, &HubDownload::progressed, this,
                [&](const HubProgress& progress) { outcome.progress.push_back(progress); });
        connect(&download, &HubDownload::finished, this, [&](const QString& path) {
            outcome.path = path;
            hasEnded = true;
        });
        connect(&download, &HubDownload::failed, this, [&](const QString& message) {
            outcome.message = message;
            hasEnded = true;
        });
        download.start();
        if (!QTest::qWaitFor([&] { return hasEnded; }, 20000)) {
            outcome.message = "it never ended";
        }
        return outcome;
    }

    QList<QByteArray> rangesOf(const QByteArray& name) const {
        QList<QByteArray> ranges;
        for (const auto& request : m_hub->requests) {
            if (request.path.endsWith(name)) {
                ranges << request.headers.value("range");
            }
        }
        return ranges;
    }

    static QByteArray bytesOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeHub> m_hub;
    QByteArray m_weights;
};

}  // namespace kvist::experiments

QTEST_GUILESS_MAIN(kvist::experiments::HubDownloadTest)
#include "hub_download_test.moc"
