// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sleep_blocker.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

namespace kvist::ui {

using experiments::SweepController;

SleepBlocker::SleepBlocker(SweepController& controller, QObject* parent) : QObject(parent), m_controller(controller) {
    connect(&controller, &SweepController::stateChanged, this, &SleepBlocker::refresh);
    connect(&controller, &SweepController::sweepFinished, this, &SleepBlocker::refresh);
}

void SleepBlocker::refresh() {
    const bool isWanted =
        m_controller.isRunning() || (!m_controller.isPaused() && !m_controller.queuedRuns().isEmpty());
    if (isWanted == m_isWanted) {
        return;
    }
    m_isWanted = isWanted;
    m_lock = {};
    if (!isWanted || !QDBusConnection::systemBus().isConnected()) {
        return;
    }
    // https://www.freedesktop.org/wiki/Software/systemd/inhibit
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.login1"), QStringLiteral("/org/freedesktop/login1"),
        QStringLiteral("org.freedesktop.login1.Manager"), QStringLiteral("Inhibit"));
    call << QStringLiteral("sleep:idle") << QStringLiteral("Kvist") << tr("A sweep is being measured")
         << QStringLiteral("block");
    auto* watcher = new QDBusPendingCallWatcher(QDBusConnection::systemBus().asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QDBusUnixFileDescriptor> reply = *watcher;
        if (m_isWanted && reply.isValid()) {
            m_lock = reply.value();
        }
        watcher->deleteLater();
    });
}

}  // namespace kvist::ui
