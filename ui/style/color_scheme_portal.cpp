// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/color_scheme_portal.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QGuiApplication>
#include <QPalette>

namespace kvist::ui {

namespace {

const auto kService = QStringLiteral("org.freedesktop.portal.Desktop");
const auto kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const auto kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const auto kNamespace = QStringLiteral("org.freedesktop.appearance");
const auto kKey = QStringLiteral("color-scheme");
constexpr uint kPrefersDark = 1;
constexpr uint kPrefersLight = 2;

/// Read() wraps its answer in a variant once more than the signal does.
QVariant unwrapped(QVariant value) {
    while (value.canConvert<QDBusVariant>()) {
        value = value.value<QDBusVariant>().variant();
    }
    return value;
}

}  // namespace

ColorSchemePortal::ColorSchemePortal(QObject* parent)
    : QObject(parent), m_prefersDark(QGuiApplication::palette().color(QPalette::Window).lightnessF() < 0.5) {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) {
        return;
    }
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                SLOT(applySetting(QString, QString, QDBusVariant)));
    QDBusMessage call = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    call << kNamespace << kKey;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, &ColorSchemePortal::readReply);
}

void ColorSchemePortal::readReply(QDBusPendingCallWatcher* watcher) {
    const QDBusPendingReply<QDBusVariant> reply = *watcher;
    watcher->deleteLater();
    if (reply.isValid()) {
        applyValue(reply.value().variant());
    }
}

void ColorSchemePortal::applySetting(const QString& nameSpace, const QString& key, const QDBusVariant& value) {
    if (nameSpace == kNamespace && key == kKey) {
        applyValue(value.variant());
    }
}

void ColorSchemePortal::applyValue(const QVariant& value) {
    const uint wish = unwrapped(value).toUInt();
    if (wish != kPrefersDark && wish != kPrefersLight) {
        return;
    }
    const bool dark = wish == kPrefersDark;
    if (dark != m_prefersDark) {
        m_prefersDark = dark;
        Q_EMIT preferenceChanged();
    }
}

}  // namespace kvist::ui
