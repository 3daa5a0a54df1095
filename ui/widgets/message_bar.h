// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVBoxLayout>
#include <QWidget>
#include <functional>
#include <map>

namespace kvist::ui {

enum class MessageKind { Info, Warning, Error };

/// Messages above the charts, each with its remedy as a button; nothing blocks while one is shown. A message
/// with a topic replaces the earlier one of that topic.
class MessageBar : public QWidget {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent = nullptr);

    struct Remedy {
        QString text;
        std::function<void()> act;
    };

    void showMessage(const QString& topic, MessageKind kind, const QString& text, const Remedy& remedy = {});
    void removeMessage(const QString& topic);

    /// The texts in sight.
    QStringList messages() const;

private:
    QVBoxLayout* m_layout;
    std::map<QString, QWidget*> m_cards;
};

}  // namespace kvist::ui
