// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "experiments/sweep_controller.h"
#include "ui/settings.h"

namespace kvist::ui {

/// New, open and copy of the file that results are stored in.
class StoreFiles : public QObject {
    Q_OBJECT
public:
    StoreFiles(experiments::SweepController& controller, Settings& settings, QWidget* window);

    /// The given file, else the last one, else results.sqlite in the user's data folder.
    void openFirst(const QString& path);

    void askCopy();
    void askNew();
    void askOpen();

Q_SIGNALS:
    void fileRefused(const QString& message);

private:
    experiments::SweepController& m_controller;
    Settings& m_settings;
    QWidget* m_window;
};

}  // namespace kvist::ui
