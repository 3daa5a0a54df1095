// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include "experiments/sweep_controller.h"

namespace kvist::ui {

/// What happened when, newest last.
class LogPanel : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit LogPanel(experiments::SweepController& controller, QWidget* parent = nullptr);

public Q_SLOTS:
    void addLine(const QString& text);

private:
    QString nameOf(experiments::RunId id) const;

    experiments::SweepController& m_controller;
};

}  // namespace kvist::ui
