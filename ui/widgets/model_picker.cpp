// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/model_picker.h"

#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>

#include "engine/api/dtype.h"
#include "experiments/budget.h"
#include "experiments/local_models.h"
#include "ui/dialogs/download_dialog.h"
#include "ui/style/icons.h"
#include "ui/style/metrics.h"
#include "ui/widgets/role_label.h"

namespace kvist::ui {

namespace {

void selectData(QComboBox* box, const std::string& data) {
    const QString text = QString::fromStdString(data);
    if (box->findData(text) < 0) {
        box->addItem(text, text);
    }
    box->setCurrentIndex(box->findData(text));
}

QString lastPart(const QString& path) {
    return QDir(path).dirName();
}

QString countText(std::int64_t count) {
    const double millions = static_cast<double>(count) / 1e6;
    return millions < 1000 ? ModelPicker::tr("%1 M").arg(QString::number(millions, 'g', 3))
                           : ModelPicker::tr("%1 B").arg(QString::number(millions / 1000, 'g', 3));
}

}  // namespace

ModelPicker::ModelPicker(QWidget* parent)
    : QWidget(parent),
      m_button(new QPushButton(this)),
      m_menu(new QMenu(this)),
      m_localMenu(new QMenu(tr("On this &computer"), this)),
      m_facts(makeLabel({}, TextRole::Muted, this)),
      m_device(new QComboBox(this)),
      m_dtype(new QComboBox(this)),
      m_threads(new QSpinBox(this)) {
    m_button->setObjectName(QStringLiteral("model"));
    m_button->setIcon(themedIcon(QStringLiteral("model")));
    m_button->setProperty("role", QStringLiteral("chooser"));
    m_button->setMenu(m_menu);
    m_button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_button->setToolTip(tr("Choose the bundled demo model, or a folder or GGUF file with a Qwen2 or Qwen2.5 model"));

    // Other programs may have added models since, so the list is made when it is looked at.
    connect(m_localMenu, &QMenu::aboutToShow, this, &ModelPicker::fillLocalModels);

    m_device->setObjectName(QStringLiteral("device"));
    m_device->addItem(tr("Automatic"), QStringLiteral("auto"));
    m_device->addItem(tr("CPU"), QStringLiteral("cpu"));
    m_device->setToolTip(tr("Where the model runs; automatic takes a GPU where there is one"));
    m_dtype->setObjectName(QStringLiteral("dtype"));
    m_dtype->addItem(tr("Automatic"), QStringLiteral("auto"));
    for (const std::string& name : dtypes()) {
        m_dtype->addItem(QString::fromStdString(name), QString::fromStdString(name));
    }
    m_dtype->setToolTip(
        tr("Type of weights and cache; automatic takes the one that the model is stored in where the "
           "machine computes it fast. int8 holds the matrices in 8 bits with a scale a row and all else, the cache "
           "too, in bfloat16"));
    m_threads->setObjectName(QStringLiteral("threads"));
    m_threads->setRange(0, kMostThreads);
    m_threads->setSpecialValueText(tr("One per core"));
    m_threads->setToolTip(tr("CPU threads of the computation"));

    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(spacingUnit(this) / 2);
    form->addRow(m_button);
    form->addRow(m_facts);
    form->addRow(tr("&Device"), m_device);
    form->addRow(tr("T&ype"), m_dtype);
    form->addRow(tr("&Threads"), m_threads);
    for (QComboBox* box : {m_device, m_dtype}) {
        connect(box, &QComboBox::activated, this, &ModelPicker::edited);
    }
    connect(m_threads, &QSpinBox::valueChanged, this, &ModelPicker::edited);
    setModels({});
}

void ModelPicker::setChoices(const QString& demoModel, const QStringList& recent) {
    m_demoModel = demoModel;
    m_menu->clear();
    m_menu->addAction(themedIcon(QStringLiteral("model")), tr("&Bundled demo model"), this,
                      [this] { choose(m_demoModel); });
    m_menu->addAction(themedIcon(QStringLiteral("folder")), tr("&Open folder…"), this, &ModelPicker::askFolder);
    m_menu->addAction(themedIcon(QStringLiteral("folder")), tr("Open &GGUF file…"), this, &ModelPicker::askFile);
    m_menu->addAction(tr("&Download from Hugging Face…"), this, &ModelPicker::askHub);
    m_menu->addMenu(m_localMenu);
    if (!recent.isEmpty()) {
        m_menu->addSection(tr("Recent"));
    }
    for (const QString& path : recent) {
        m_menu->addAction(QDir::toNativeSeparators(path), this, [this, path] { choose(path); });
    }
}

void ModelPicker::writeTo(experiments::Sweep& sweep) const {
    sweep.models = m_models;
    sweep.device = m_device->currentData().toString().toStdString();
    sweep.dtype = m_dtype->currentData().toString().toStdString();
    sweep.threads = m_threads->value();
}

void ModelPicker::readFrom(const experiments::Sweep& sweep) {
    const QSignalBlocker blocker(m_threads);
    setModels(sweep.models);
    selectData(m_device, sweep.device);
    selectData(m_dtype, sweep.dtype);
    m_threads->setValue(sweep.threads);
}

void ModelPicker::showFacts(const ModelInfo& model, const MachineInfo& machine) {
    if (!machine.gpus.empty() && m_device->findData(QStringLiteral("cuda")) < 0) {
        m_device->addItem(tr("GPU (%1)").arg(QString::fromStdString(machine.gpus.front())), QStringLiteral("cuda"));
    }
    if (m_models.size() == 1) {  // caches name folders and files by hashes
        m_button->setText(QString::fromStdString(model.name));
        m_button->setAccessibleName(tr("Model: %1").arg(m_button->text()));
    }
    ModelChoice choice;
    choice.device = m_device->currentData().toString().toStdString();
    choice.dtype = m_dtype->currentData().toString().toStdString();
    const std::string dtype = resolvedDtype(choice, model, machine);
    const auto perToken = experiments::bytesText(model.kvBytesPerToken(elementSize(dtype)));
    m_dtype->setItemText(0, tr("Automatic (%1)").arg(QString::fromStdString(dtype)));
    m_facts->setText(tr("%1 parameters · %2 layers\n%3 KV heads of %4 · %5 per token\n%6 positions")
                         .arg(countText(model.parameters))
                         .arg(model.layers)
                         .arg(model.kvHeads)
                         .arg(model.headDim)
                         .arg(QString::fromStdString(perToken))
                         .arg(model.maxPositions));
    m_facts->setToolTip(tr("%1\n%2, %3 tokenizer, stored as %4, fingerprint %5")
                            .arg(QDir::toNativeSeparators(QString::fromStdString(model.path)),
                                 QString::fromStdString(model.architecture), QString::fromStdString(model.tokenizer),
                                 QString::fromStdString(model.storedType), QString::fromStdString(model.fingerprint)));
    setTextRole(m_facts, TextRole::Muted);
}

void ModelPicker::showProblem(const QString& message) {
    m_facts->setText(message);
    setTextRole(m_facts, TextRole::Error);
}

QString ModelPicker::summary() const {
    return tr("%1 on %2").arg(m_button->text(), m_device->currentText());
}

void ModelPicker::choose(const QString& path) {
    setModels({path.toStdString()});
    Q_EMIT folderChosen(path);
    Q_EMIT edited();
}

void ModelPicker::askFolder() {
    auto* dialog = new QFileDialog(this, tr("Open a model folder"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &ModelPicker::choose);
    dialog->open();
}

void ModelPicker::askFile() {
    auto* dialog = new QFileDialog(this, tr("Open a GGUF model"), {}, tr("GGUF models (*.gguf);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &ModelPicker::choose);
    dialog->open();
}

void ModelPicker::askHub() {
    auto* dialog = new DownloadDialog(experiments::HubSettings::ofThisUser(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &DownloadDialog::downloaded, this, &ModelPicker::choose);
    dialog->open();
}

void ModelPicker::fillLocalModels() {
    m_localMenu->clear();
    std::string source;
    for (const auto& model : experiments::listLocalModels(experiments::ModelStores::ofThisUser())) {
        if (model.source != source) {
            source = model.source;
            m_localMenu->addSection(QString::fromStdString(source));
        }
        const QString path = QString::fromStdString(model.path);
        QAction* action =
            m_localMenu->addAction(QString::fromStdString(model.name), this, [this, path] { choose(path); });
        action->setToolTip(QDir::toNativeSeparators(path));
    }
    if (m_localMenu->isEmpty()) {
        m_localMenu->addAction(tr("No Qwen2 models of Hugging Face, Ollama or LM Studio"))->setEnabled(false);
    }
}

void ModelPicker::setModels(std::vector<std::string> models) {
    if (m_models != models) {
        m_facts->clear();
    }
    m_models = std::move(models);
    if (m_models.size() == 1) {
        m_button->setText(lastPart(QString::fromStdString(m_models.front())));
    } else {
        m_button->setText(m_models.empty() ? tr("Choose a model")
                                           : tr("%n models", nullptr, static_cast<int>(m_models.size())));
    }
    m_button->setAccessibleName(tr("Model: %1").arg(m_button->text()));
}

}  // namespace kvist::ui
