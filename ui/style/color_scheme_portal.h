// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QVariant>

class QDBusPendingCallWatcher;
class QDBusVariant;

namespace kvist::ui {

/// What the desktop wishes for, from the portal's `color-scheme` setting. Asks without waiting; until an
/// answer comes, and where there is no portal, the platform's own palette at construction decides.
class ColorSchemePortal : public QObject {
    Q_OBJECT
public:
    explicit ColorSchemePortal(QObject* parent = nullptr);

    bool prefersDark() const { return m_prefersDark; }

Q_SIGNALS:
    void preferenceChanged();

private Q_SLOTS:
    void readReply(QDBusPendingCallWatcher* watcher);
    void applySetting(const QString& nameSpace, const QString& key, const QDBusVariant& value);

private:
    void applyValue(const QVariant& value);

    bool m_prefersDark = false;
};

}  // namespace kvist::ui
