// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "ui/style/color_scheme_portal.h"

namespace kvist::ui {

enum class ThemeChoice { System, Light, Dark };

/// Gives the application its style, palette and style sheet, and changes them when the user or the desktop
/// does. One per application.
class Theme : public QObject {
    Q_OBJECT
public:
    explicit Theme(QObject* parent = nullptr);

    ThemeChoice choice() const { return m_choice; }
    void setChoice(ThemeChoice choice);

private:
    void apply();

    ColorSchemePortal m_portal;
    ThemeChoice m_choice = ThemeChoice::System;
};

}  // namespace kvist::ui
