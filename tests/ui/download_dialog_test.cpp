// SPDX-License-Identifier: GPL-3.0-or-later
// A download from a hub on this machine, by mouse and keyboard.
#include <QDir>
#include <QFileInfo>
#include <QProgressBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/experiments/hub/fake_hub.h"
#include "ui/dialogs/download_dialog.h"

namespace kvist::ui {

using experiments::test::FakeHub;

class DownloadDialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_hub = std::make_unique<FakeHub>();
        m_hub->add("config.json", "{}", false);
        m_hub->add("model.safetensors", QByteArray(100000, 'w'), true);
    }

    void downloadsAndCloses() {
        DownloadDialog dialog(settings());
        QSignalSpy downloaded(&dialog, &DownloadDialog::downloaded);
        dialog.show();
        auto* button = dialog.findChild<QPushButton*>("download");
        QVERIFY(!button->isEnabled());
        QTest::keyClicks(dialog.findChild<QLineEdit*>("repository"), "Qwen/Tiny");
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(downloaded.count(), 1);
        const QString path = downloaded[0][0].toString();
        QCOMPARE(QFileInfo(path + "/model.safetensors").size(), 100000);
        QVERIFY(!dialog.isVisible());
        QCOMPARE(dialog.findChild<QProgressBar*>()->value(), 1000);
    }

    void showsWhatIsRefusedAndTakesAnotherName() {
        DownloadDialog dialog(settings());
        QSignalSpy downloaded(&dialog, &DownloadDialog::downloaded);
        dialog.show();
        auto* repository = dialog.findChild<QLineEdit*>("repository");
        auto* button = dialog.findChild<QPushButton*>("download");
        auto* state = dialog.findChild<QLabel*>("state");
        QTest::keyClicks(repository, "Qwen/Other");
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY2(state->text().contains("404"), qPrintable(state->text()));
        QVERIFY(repository->isEnabled());
        repository->setText("nonsense");
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY2(state->text().contains("owner/name"), qPrintable(state->text()));
        repository->setText("Qwen/Tiny");
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(downloaded.count(), 1);
    }

    void stopsAtOnce() {
        m_hub->answer = [this](const FakeHub::Request& request, int) {
            FakeHub::Reply reply = m_hub->honest(request);
            reply.isSilent = request.path.endsWith("model.safetensors");
            return reply;
        };
        DownloadDialog dialog(settings());
        dialog.show();
        auto* repository = dialog.findChild<QLineEdit*>("repository");
        auto* button = dialog.findChild<QPushButton*>("download");
        repository->setText("Qwen/Tiny");
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY(m_hub->requests.size() >= 3);
        QVERIFY(!repository->isEnabled());
        QVERIFY(QDir().mkpath(KVIST_SCREENSHOTS));
        QVERIFY(dialog.grab().save(KVIST_SCREENSHOTS "/download.png"));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(repository->isEnabled());
        QVERIFY(dialog.findChild<QLabel*>("state")->text().contains("goes on"));
    }

private:
    experiments::HubSettings settings() const {
        experiments::HubSettings settings;
        settings.endpoint = m_hub->url();
        settings.cache = m_folder->path();
        settings.retryDelay = std::chrono::milliseconds(1);
        return settings;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeHub> m_hub;
};

}  // namespace kvist::ui

QTEST_MAIN(kvist::ui::DownloadDialogTest)
#include "download_dialog_test.moc"
