// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QWidget>

#include "experiments/sweep.h"

namespace kvist::ui {

/// Which text is scored and how it becomes tokens: a bundled one, one used before, or a file of the user's.
class TextPicker : public QWidget {
    Q_OBJECT
public:
    explicit TextPicker(QWidget* parent = nullptr);

    /// Bundled texts as sweep files name them ("resources/texts/…"), and files used before.
    void setChoices(const QStringList& bundled, const QStringList& recent);

    TextChoice text() const;
    void setText(const TextChoice& text);

    /// What is wrong with the file; empty clears.
    void setMessage(const QString& message);

Q_SIGNALS:
    void edited();
    void fileChosen(const QString& path);

private:
    void selectFile(const QString& path);
    void openChosen(int index);
    void askFile();
    void showField();

    QComboBox* m_file;
    QComboBox* m_segments;
    QLineEdit* m_field;
    QFormLayout* m_form;
    QLabel* m_message;
    QString m_current;
};

}  // namespace kvist::ui
