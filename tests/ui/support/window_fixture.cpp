// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/window_fixture.h"

#include <QCoreApplication>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

namespace kvist::test {

WindowFixture::WindowFixture(std::function<std::unique_ptr<Engine>()> makeEngine)
    : m_makeEngine(std::move(makeEngine)) {
    QSettings().clear();
    open();
}

WindowFixture::~WindowFixture() = default;

void WindowFixture::restart() {
    m_window.reset();
    m_controller.reset();
    open();
}

void WindowFixture::waitUntilReady() {
    auto* start = find<QPushButton>(QStringLiteral("start"));
    QTRY_VERIFY_WITH_TIMEOUT(start->isEnabled(), 20000);
}

void WindowFixture::startAndFinish(int timeoutMs) {
    waitUntilReady();
    QSignalSpy finished(m_controller.get(), &experiments::SweepController::sweepFinished);
    QTest::mouseClick(find<QPushButton>(QStringLiteral("start")), Qt::LeftButton);
    QVERIFY(finished.wait(timeoutMs));
    settle();
}

void WindowFixture::settle() {
    constexpr int kLongerThanAnyTimer = 700;
    QTest::qWait(kLongerThanAnyTimer);
}

void WindowFixture::open() {
    m_controller = std::make_unique<experiments::SweepController>(
        experiments::ControllerOptions{m_makeEngine, KVIST_RESOURCES, "test"});
    ui::WindowOptions options;
    options.resources = QStringLiteral(KVIST_RESOURCES);
    options.storePath = path(QStringLiteral("results.sqlite"));
    m_window = std::make_unique<ui::MainWindow>(*m_controller, m_theme, options);
    m_window->show();
}

QAction* actionNamed(const QWidget& window, const QString& text) {
    for (QAction* action : window.findChildren<QAction*>()) {
        if (action->text().remove(QLatin1Char('&')) == text) {
            return action;
        }
    }
    qFatal("no action %s", qPrintable(text));
}

void isolateSettings() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("kvist-tests"));
    QCoreApplication::setApplicationName(QString::number(QCoreApplication::applicationPid()));
    QSettings::setDefaultFormat(QSettings::IniFormat);
}

}  // namespace kvist::test
