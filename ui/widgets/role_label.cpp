// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/role_label.h"

#include <QStyle>

namespace kvist::ui {

namespace {

QString roleName(TextRole role) {
    switch (role) {
        case TextRole::Heading:
            return QStringLiteral("heading");
        case TextRole::Muted:
            return QStringLiteral("muted");
        case TextRole::Warning:
            return QStringLiteral("warning");
        case TextRole::Error:
            break;
    }
    return QStringLiteral("error");
}

}  // namespace

QLabel* makeLabel(const QString& text, TextRole role, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setProperty("role", roleName(role));
    label->setWordWrap(role != TextRole::Heading);
    return label;
}

void setTextRole(QLabel* label, TextRole role) {
    if (label->property("role").toString() != roleName(role)) {
        label->setProperty("role", roleName(role));
        label->style()->unpolish(label);
        label->style()->polish(label);
    }
}

}  // namespace kvist::ui
