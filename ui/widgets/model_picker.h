// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QWidget>
#include <string>
#include <vector>

#include "engine/api/machine_info.h"
#include "engine/api/model_info.h"
#include "experiments/sweep.h"

namespace kvist::ui {

/// Which model, on which device, in which type, with how many threads. Shows what is known about the
/// model and whether it can be used; does not read it itself.
class ModelPicker : public QWidget {
    Q_OBJECT
public:
    explicit ModelPicker(QWidget* parent = nullptr);

    /// The bundled demo model as sweep files name it, and folders and files used before.
    void setChoices(const QString& demoModel, const QStringList& recent);

    void writeTo(experiments::Sweep& sweep) const;
    void readFrom(const experiments::Sweep& sweep);

    void showFacts(const ModelInfo& model, const MachineInfo& machine);
    void showProblem(const QString& message);

    /// "demo_model · auto · CPU"
    QString summary() const;

Q_SIGNALS:
    void edited();
    void folderChosen(const QString& path);

private:
    void choose(const QString& path);
    void askFolder();
    void askFile();
    void askHub();
    void fillLocalModels();
    void setModels(std::vector<std::string> models);

    QPushButton* m_button;
    QMenu* m_menu;
    QMenu* m_localMenu;
    QLabel* m_facts;
    QComboBox* m_device;
    QComboBox* m_dtype;
    QSpinBox* m_threads;
    std::vector<std::string> m_models;
    QString m_demoModel;
};

}  // namespace kvist::ui
