// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "experiments/sweep_controller.h"
#include "ui/actions.h"
#include "ui/selection.h"
#include "ui/widgets/message_bar.h"

namespace kvist::ui {

/// Connects the run actions to the controller, keeps them enabled where they do something, and says what went
/// wrong or is left over in the message bar.
class RunControl : public QObject {
    Q_OBJECT
public:
    RunControl(experiments::SweepController& controller, const Actions& actions, Selection& selection,
               MessageBar& messages, QObject* parent);

private:
    void refresh();
    void cancelRuns();
    void retryRuns();
    void removeRuns();
    void offerInterrupted();
    void tellFailure(experiments::RunId id, const QString& message);
    QList<experiments::RunId> selectedIn(const QList<experiments::RunState>& states) const;

    experiments::SweepController& m_controller;
    const Actions& m_actions;
    Selection& m_selection;
    MessageBar& m_messages;
};

}  // namespace kvist::ui
