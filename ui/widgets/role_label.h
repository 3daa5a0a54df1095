// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace kvist::ui {

enum class TextRole { Heading, Muted, Warning, Error };

/// A label in one of the theme's text roles; wraps unless it is a heading.
QLabel* makeLabel(const QString& text, TextRole role, QWidget* parent = nullptr);

/// Changes the role of a label that is shown already.
void setTextRole(QLabel* label, TextRole role);

}  // namespace kvist::ui
