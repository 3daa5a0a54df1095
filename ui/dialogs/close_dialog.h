// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>

namespace kvist::ui {

/// Asks what closing the window during a sweep means; staying is the default.
class CloseDialog : public QMessageBox {
    Q_OBJECT
public:
    CloseDialog(int runsLeft, QWidget* parent);

Q_SIGNALS:
    void finishChosen();  ///< measure the rest, then close
    void stopChosen();    ///< close now; what is left is offered again
};

}  // namespace kvist::ui
