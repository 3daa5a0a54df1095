// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/text_picker.h"

#include <QFileDialog>
#include <QFileInfo>

#include "engine/api/text_field.h"
#include "ui/style/metrics.h"
#include "ui/widgets/role_label.h"

namespace kvist::ui {

TextPicker::TextPicker(QWidget* parent)
    : QWidget(parent),
      m_file(new QComboBox(this)),
      m_segments(new QComboBox(this)),
      m_field(new QLineEdit(this)),
      m_form(new QFormLayout(this)),
      m_message(makeLabel({}, TextRole::Error, this)) {
    m_file->setObjectName(QStringLiteral("text"));
    m_file->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_file->setMinimumContentsLength(12);
    m_file->setToolTip(tr("The text whose tokens are predicted"));
    m_segments->setObjectName(QStringLiteral("segments"));
    m_segments->addItem(tr("Line by line"), static_cast<int>(Segmentation::Lines));
    m_segments->addItem(tr("In one piece"), static_cast<int>(Segmentation::Whole));
    m_segments->setToolTip(
        tr("Line by line: each line that is not blank is tokenised apart, as published figures for "
           "WikiText-2 are. In one piece: as the file stands."));
    m_field->setObjectName(QStringLiteral("field"));
    m_field->setPlaceholderText(QStringLiteral("text"));
    m_field->setToolTip(tr("The field of each line's JSON object that holds the text"));
    m_message->hide();

    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setSpacing(spacingUnit(this) / 2);
    m_form->addRow(tr("Te&xt"), m_file);
    m_form->addRow(m_message);
    m_form->addRow(tr("F&ield"), m_field);
    m_form->addRow(tr("To&kens"), m_segments);
    connect(m_file, &QComboBox::activated, this, &TextPicker::openChosen);
    connect(m_field, &QLineEdit::editingFinished, this, [this] {
        if (m_field->isModified()) {
            m_field->setModified(false);
            Q_EMIT edited();
        }
    });
    showField();
    connect(m_segments, &QComboBox::activated, this, &TextPicker::edited);
}

void TextPicker::setChoices(const QStringList& bundled, const QStringList& recent) {
    m_file->clear();
    for (const QString& path : bundled + recent) {
        if (m_file->findData(path) < 0) {
            m_file->addItem(QFileInfo(path).fileName(), path);
            m_file->setItemData(m_file->count() - 1, path, Qt::ToolTipRole);
        }
    }
    m_file->insertSeparator(m_file->count());
    m_file->addItem(tr("Own file…"));
    selectFile(m_current);
}

TextChoice TextPicker::text() const {
    return {m_current.toStdString(), static_cast<Segmentation>(m_segments->currentData().toInt()),
            isJsonLines(m_current.toStdString()) ? m_field->text().trimmed().toStdString() : std::string()};
}

void TextPicker::setText(const TextChoice& text) {
    selectFile(QString::fromStdString(text.file));
    m_segments->setCurrentIndex(m_segments->findData(static_cast<int>(text.segments)));
    m_field->setText(QString::fromStdString(text.field));
}

void TextPicker::setMessage(const QString& message) {
    m_message->setText(message);
    m_message->setVisible(!message.isEmpty());
}

void TextPicker::selectFile(const QString& path) {
    m_current = path;
    if (!path.isEmpty() && m_file->findData(path) < 0) {
        m_file->insertItem(0, QFileInfo(path).fileName(), path);
        m_file->setItemData(0, path, Qt::ToolTipRole);
    }
    m_file->setCurrentIndex(path.isEmpty() ? -1 : m_file->findData(path));
    showField();
}

void TextPicker::showField() {
    m_form->setRowVisible(m_field, isJsonLines(m_current.toStdString()));
}

void TextPicker::openChosen(int index) {
    const QString path = m_file->itemData(index).toString();
    if (path.isEmpty()) {
        m_file->setCurrentIndex(m_file->findData(m_current));
        askFile();
        return;
    }
    if (path != m_current) {
        m_current = path;
        showField();
        Q_EMIT edited();
    }
}

void TextPicker::askFile() {
    auto* dialog = new QFileDialog(this, tr("Open a text"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Texts (*.txt *.raw *.md *.jsonl)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        selectFile(path);
        Q_EMIT fileChosen(path);
        Q_EMIT edited();
    });
    dialog->open();
}

}  // namespace kvist::ui
