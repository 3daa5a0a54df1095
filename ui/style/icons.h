// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPixmap>
#include <QString>

namespace kvist::ui {

/// An icon of resources/icons, drawn in the current theme's text colour (muted when disabled) at whatever
/// size and scale it is asked for; it follows a change of theme by itself.
QIcon themedIcon(const QString& name);

/// The same drawing in one colour, for state marks and message bars. `extent` is in device independent pixels.
QPixmap tintedPixmap(const QString& name, const QColor& color, int extent, qreal scale);

/// The program's own mark, in its colours.
QIcon applicationIcon();

}  // namespace kvist::ui
