// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/close_dialog.h"

#include <QPushButton>

namespace kvist::ui {

CloseDialog::CloseDialog(int runsLeft, QWidget* parent) : QMessageBox(parent) {
    setAttribute(Qt::WA_DeleteOnClose);
    setIcon(QMessageBox::Question);
    setWindowTitle(tr("Close Kvist"));
    setText(runsLeft == 1 ? tr("One run is not finished.") : tr("%1 runs are not finished.").arg(runsLeft));
    setInformativeText(tr("Finished runs are stored. Runs that are stopped are offered again at the next start."));
    QPushButton* finish = addButton(tr("&Finish, then close"), QMessageBox::AcceptRole);
    QPushButton* stop = addButton(tr("Cancel runs and &close"), QMessageBox::DestructiveRole);
    QPushButton* stay = addButton(tr("&Stay"), QMessageBox::RejectRole);
    finish->setObjectName(QStringLiteral("finish"));
    stop->setObjectName(QStringLiteral("stop"));
    stay->setObjectName(QStringLiteral("stay"));
    setDefaultButton(stay);
    setEscapeButton(stay);
    connect(finish, &QPushButton::clicked, this, &CloseDialog::finishChosen);
    connect(stop, &QPushButton::clicked, this, &CloseDialog::stopChosen);
}

}  // namespace kvist::ui
