// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep_files.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

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

QString sweepFilter() {
    return SweepFiles::tr("Sweeps (*.json)");
}

}  // namespace

SweepFiles::SweepFiles(SweepPanel& panel, Settings& settings, QWidget* window)
    : QObject(window), m_panel(panel), m_settings(settings), m_window(window) {
    connect(&panel, &SweepPanel::sweepEdited, this, [this] {
        if (!m_isModified) {
            m_isModified = true;
            Q_EMIT titleChanged();
        }
    });
}

QString SweepFiles::title() const {
    const QString name = QString::fromStdString(m_panel.sweep().name);
    return m_path.isEmpty() ? name : QFileInfo(m_path).fileName();
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

void SweepFiles::open(const QString& path) {
    const auto sweep = experiments::readSweepFile(path.toStdString());
    if (!sweep) {
        Q_EMIT fileRefused(QString::fromStdString(sweep.refusal().message));
        return;
    }
    m_settings.addRecentSweep(QFileInfo(path).absoluteFilePath());
    show(*sweep, path);
}

void SweepFiles::save() {
    if (m_path.isEmpty()) {
        askSaveAs();
    } else {
        saveAs(m_path);
    }
}

void SweepFiles::askSaveAs() {
    auto* dialog = new QFileDialog(m_window, tr("Save the sweep"), m_settings.exportFolder(), sweepFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->selectFile(m_path.isEmpty() ? QStringLiteral("sweep.json") : m_path);
    connect(dialog, &QFileDialog::fileSelected, this, &SweepFiles::saveAs);
    dialog->open();
}

void SweepFiles::saveAs(const QString& path) {
    Sweep sweep = m_panel.sweep();
    if (m_path.isEmpty()) {
        sweep.name = QFileInfo(path).completeBaseName().toStdString();
    }
    const auto written = experiments::writeSweepFile(path.toStdString(), sweep);
    if (!written) {
        Q_EMIT fileRefused(QString::fromStdString(written.refusal().message));
        return;
    }
    m_settings.addRecentSweep(QFileInfo(path).absoluteFilePath());
    m_path = path;
    m_isModified = false;
    Q_EMIT titleChanged();
    Q_EMIT saved(path);
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

void SweepFiles::show(const Sweep& sweep, const QString& path) {
    m_path = path;
    m_isModified = false;
    m_panel.setSweep(sweep);
    Q_EMIT titleChanged();
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
