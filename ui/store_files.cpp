// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/store_files.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QStandardPaths>

namespace kvist::ui {

using experiments::SweepController;

namespace {

QString storeFilter() {
    return StoreFiles::tr("Results (*.sqlite)");
}

}  // namespace

StoreFiles::StoreFiles(SweepController& controller, Settings& settings, QWidget* window)
    : QObject(window), m_controller(controller), m_settings(settings), m_window(window) {
    connect(&controller, &SweepController::storeOpened, this,
            [this](const QString& path) { m_settings.setStorePath(path); });
}

void StoreFiles::openFirst(const QString& path) {
    QString chosen = path;
    if (chosen.isEmpty() && QFile::exists(m_settings.storePath())) {
        chosen = m_settings.storePath();
    }
    if (chosen.isEmpty()) {
        const QDir folder(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation));
        folder.mkpath(QStringLiteral("."));
        chosen = folder.filePath(QStringLiteral("results.sqlite"));
    }
    m_controller.openStore(chosen);
}

void StoreFiles::askNew() {
    auto* dialog = new QFileDialog(m_window, tr("New results file"), QFileInfo(m_controller.storePath()).absolutePath(),
                                   storeFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    dialog->setDefaultSuffix(QStringLiteral("sqlite"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        if (QFile::exists(path)) {
            Q_EMIT fileRefused(tr("%1 is there already; choose another name, or open it.").arg(path));
        } else {
            m_controller.openStore(path);
        }
    });
    dialog->open();
}

void StoreFiles::askCopy() {
    auto* dialog = new QFileDialog(m_window, tr("Save a copy of the results"),
                                   QFileInfo(m_controller.storePath()).absolutePath(), storeFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("sqlite"));
    connect(dialog, &QFileDialog::fileSelected, &m_controller, &SweepController::saveStoreCopy);
    dialog->open();
}

void StoreFiles::askOpen() {
    auto* dialog = new QFileDialog(m_window, tr("Open a results file"),
                                   QFileInfo(m_controller.storePath()).absolutePath(), storeFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, &m_controller, &SweepController::openStore);
    dialog->open();
}

}  // namespace kvist::ui
