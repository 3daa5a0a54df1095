// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep_files.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>

#include "experiments/sweep_file.h"

namespace kvist::ui {

using experiments::Sweep;

namespace {

const auto kPresets = QStringLiteral(":/kvist/presets/");
const auto kFirstPreset = QStringLiteral(":/kvist/presets/budget_curve.json");

experiments::Result<Sweep> readPreset(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return experiments::Refusal{{}, "there is no preset " + path.toStdString()};
    }
    return experiments::parseSweep(file.readAll().toStdString());
}

/// The sweep as it is to stand in a file of another folder: what lay beside its old file is named in full.
Sweep withPathsFrom(Sweep sweep, const std::string& newFolder) {
    if (!sweep.folder.empty() && sweep.folder != newFolder) {
        const QDir old(QString::fromStdString(sweep.folder));
        const auto keep = [&old](std::string& path) {
            const QString name = QString::fromStdString(path);
            if (!path.empty() && QDir::isRelativePath(name) && old.exists(name)) {
                path = QDir::cleanPath(old.absoluteFilePath(name)).toStdString();
            }
        };
        std::for_each(sweep.models.begin(), sweep.models.end(), keep);
        keep(sweep.text.file);
    }
    sweep.folder = newFolder;
    return sweep;
}

QString sweepFilter() {
    return SweepFiles::tr("Sweeps (*.json)");
}

}  // namespace

SweepFiles::SweepFiles(SweepPanel& panel, Settings& settings, QWidget* window)
    : QObject(window), m_panel(panel), m_settings(settings), m_window(window) {
    connect(&panel, &SweepPanel::sweepEdited, this, [this] {
        m_history.addEdit(m_panel.sweep());
        Q_EMIT stateChanged();
    });
}

QString SweepFiles::title() const {
    const QString name = QString::fromStdString(m_panel.sweep().name);
    return file().isEmpty() ? name : QFileInfo(file()).fileName();
}

void SweepFiles::openFirst(const QString& path) {
    if (!path.isEmpty() && open(path)) {
        return;
    }
    const auto unsaved = experiments::parseSweep(m_settings.unsavedSweep().toStdString());
    if (!unsaved) {
        newSweep();
        return;
    }
    Sweep sweep = *unsaved;
    if (!m_settings.unsavedPath().isEmpty()) {
        sweep.folder = QFileInfo(m_settings.unsavedPath()).absolutePath().toStdString();
    }
    show(sweep, m_settings.unsavedPath(), true);
}

void SweepFiles::keepUnsaved() {
    if (isModified()) {
        m_settings.setUnsavedSweep(QString::fromStdString(experiments::toJson(m_panel.sweep())), file());
    } else {
        m_settings.setUnsavedSweep({}, {});
    }
}

void SweepFiles::newSweep() {
    openPreset(kFirstPreset);
}

void SweepFiles::askOpen() {
    auto* dialog = new QFileDialog(m_window, tr("Open a sweep"), m_settings.exportFolder(), sweepFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &SweepFiles::open);
    dialog->open();
}

bool SweepFiles::open(const QString& path) {
    const auto sweep = experiments::readSweepFile(path.toStdString());
    if (!sweep) {
        Q_EMIT fileRefused(QString::fromStdString(sweep.refusal().message));
        return false;
    }
    m_settings.addRecentSweep(QFileInfo(path).absoluteFilePath());
    show(*sweep, path);
    return true;
}

void SweepFiles::save() {
    if (file().isEmpty()) {
        askSaveAs();
    } else {
        saveAs(file());
    }
}

void SweepFiles::askSaveAs() {
    auto* dialog = new QFileDialog(m_window, tr("Save the sweep"), m_settings.exportFolder(), sweepFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->selectFile(file().isEmpty() ? QStringLiteral("sweep.json") : file());
    connect(dialog, &QFileDialog::fileSelected, this, &SweepFiles::saveAs);
    dialog->open();
}

void SweepFiles::saveAs(const QString& newPath) {
    Sweep sweep = withPathsFrom(m_panel.sweep(), QFileInfo(newPath).absolutePath().toStdString());
    if (file().isEmpty()) {
        sweep.name = QFileInfo(newPath).completeBaseName().toStdString();
    }
    const auto written = experiments::writeSweepFile(newPath.toStdString(), sweep);
    if (!written) {
        Q_EMIT fileRefused(QString::fromStdString(written.refusal().message));
        return;
    }
    m_settings.addRecentSweep(QFileInfo(newPath).absoluteFilePath());
    m_history.setSaved(sweep, newPath);
    m_panel.setSweep(sweep);
    Q_EMIT stateChanged();
    Q_EMIT saved(newPath);
}

void SweepFiles::setPresetsMenu(QMenu* menu) {
    for (const QString& name : QDir(kPresets).entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        const QString path = kPresets + name;
        if (const auto sweep = readPreset(path)) {
            menu->addAction(QString::fromStdString(sweep->name), this, [this, path] { openPreset(path); });
        }
    }
}

void SweepFiles::setRecentMenu(QMenu* menu) {
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        for (const QString& path : m_settings.recentSweeps()) {
            menu->addAction(QDir::toNativeSeparators(path), this, [this, path] { open(path); });
        }
        if (menu->isEmpty()) {
            menu->addAction(tr("None yet"))->setEnabled(false);
        }
    });
}

void SweepFiles::show(const Sweep& sweep, const QString& path, bool isEdited) {
    const QString lost = isModified() ? title() : QString();
    m_panel.setSweep(sweep);
    m_history.addOther({m_panel.sweep(), path, isEdited});
    Q_EMIT stateChanged();
    if (!lost.isEmpty()) {
        Q_EMIT replaced(lost);
    }
}

void SweepFiles::undo() {
    if (canUndo()) {
        m_panel.setSweep(m_history.undo().sweep);
        Q_EMIT stateChanged();
    }
}

void SweepFiles::redo() {
    if (canRedo()) {
        m_panel.setSweep(m_history.redo().sweep);
        Q_EMIT stateChanged();
    }
}

void SweepFiles::openPreset(const QString& path) {
    const auto sweep = readPreset(path);
    if (sweep) {
        show(*sweep, {});
    } else {
        Q_EMIT fileRefused(QString::fromStdString(sweep.refusal().message));
    }
}

}  // namespace kvist::ui
