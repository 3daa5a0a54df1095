// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "ui/style/icons.h"
#include "ui/style/metrics.h"
#include "ui/style/theme_colors.h"

namespace kvist::ui {

namespace {

QPixmap iconOf(MessageKind kind, const QWidget* widget) {
    const ThemeColors& colors = currentColors();
    const int extent = spacingUnit(widget) * 2;
    switch (kind) {
        case MessageKind::Warning:
            return tintedPixmap(QStringLiteral("warning"), colors.warning, extent, widget->devicePixelRatioF());
        case MessageKind::Error:
            return tintedPixmap(QStringLiteral("error"), colors.error, extent, widget->devicePixelRatioF());
        case MessageKind::Info:
            break;
    }
    return tintedPixmap(QStringLiteral("info"), colors.accent, extent, widget->devicePixelRatioF());
}

}  // namespace

MessageBar::MessageBar(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    hide();
}

void MessageBar::showMessage(const QString& topic, MessageKind kind, const QString& text, const Remedy& remedy) {
    removeMessage(topic);
    auto* card = new QFrame(this);
    card->setProperty("role", QStringLiteral("card"));
    auto* icon = new QLabel(card);
    icon->setPixmap(iconOf(kind, this));
    auto* label = new QLabel(text, card);
    label->setObjectName(QStringLiteral("message"));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* close = new QToolButton(card);
    close->setIcon(themedIcon(QStringLiteral("close")));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(close->toolTip());

    const int unit = spacingUnit(this);
    auto* layout = new QHBoxLayout(card);
    layout->setContentsMargins(unit, unit / 2, unit / 2, unit / 2);
    layout->addWidget(icon);
    layout->addWidget(label, 1);
    if (remedy.act) {
        auto* button = new QPushButton(remedy.text, card);
        button->setObjectName(QStringLiteral("remedy"));
        layout->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, topic, act = remedy.act] {
            removeMessage(topic);
            act();
        });
    }
    layout->addWidget(close);
    connect(close, &QToolButton::clicked, this, [this, topic] { removeMessage(topic); });
    m_layout->addWidget(card);
    m_cards[topic] = card;
    setVisible(true);
}

void MessageBar::removeMessage(const QString& topic) {
    const auto found = m_cards.find(topic);
    if (found == m_cards.end()) {
        return;
    }
    found->second->hide();
    found->second->deleteLater();
    m_cards.erase(found);
    setVisible(!m_cards.empty());
}

QStringList MessageBar::messages() const {
    QStringList texts;
    for (const auto& [topic, card] : m_cards) {
        texts << card->findChild<QLabel*>(QStringLiteral("message"))->text();
    }
    return texts;
}

}  // namespace kvist::ui
