// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "engine/api/machine_info.h"

namespace kvist::ui {

/// Versions of program, Qt and libtorch, the device and the licence, with a button that copies them.
class AboutDialog : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(const MachineInfo& machine, QWidget* parent = nullptr);
};

}  // namespace kvist::ui
