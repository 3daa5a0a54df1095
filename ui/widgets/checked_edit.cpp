// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/checked_edit.h"

#include <QStyle>
#include <QVBoxLayout>

#include "ui/style/metrics.h"
#include "ui/widgets/role_label.h"

namespace kvist::ui {

CheckedEdit::CheckedEdit(QWidget* parent)
    : QWidget(parent), m_edit(new QLineEdit(this)), m_message(makeLabel({}, TextRole::Error, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_edit);
    layout->addWidget(m_message);
    m_message->hide();
    setFocusProxy(m_edit);
    m_edit->setMinimumWidth(textWidth(this, 6));
    connect(m_edit, &QLineEdit::textEdited, this, [this] {
        checkText();
        Q_EMIT textEdited();
    });
}

void CheckedEdit::setCheck(Check check) {
    m_check = std::move(check);
    checkText();
}

QString CheckedEdit::text() const {
    return m_edit->text().trimmed();
}

void CheckedEdit::setText(const QString& text) {
    if (m_edit->text() != text) {
        m_edit->setText(text);
        m_edit->setCursorPosition(0);
    }
    checkText();
}

void CheckedEdit::setMessage(const QString& message) {
    m_message->setText(message);
    m_message->setVisible(!message.isEmpty());
    m_edit->setAccessibleDescription(message);
    if (m_edit->property("invalid").toBool() != !message.isEmpty()) {
        m_edit->setProperty("invalid", !message.isEmpty());
        style()->unpolish(m_edit);
        style()->polish(m_edit);
    }
}

void CheckedEdit::checkText() {
    setMessage(m_check ? m_check(text()) : QString());
}

}  // namespace kvist::ui
