// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

namespace kvist::test {

/// What is wrong with the layout of everything visible in a window: texts that do not fit their widget,
/// widgets that lie on each other, elided or overlapping names in charts, plots without room. Empty is good.
QStringList layoutProblems(const QWidget& window);

}  // namespace kvist::test
