// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QWidget>
#include <functional>

namespace kvist::ui {

/// A text field that says below itself what would be right while its text is wrong.
class CheckedEdit : public QWidget {
    Q_OBJECT
public:
    explicit CheckedEdit(QWidget* parent = nullptr);

    /// Gives the message for a wrong text, or nothing for a right one; looked at on every change.
    using Check = std::function<QString(const QString& text)>;
    void setCheck(Check check);

    QString text() const;
    void setText(const QString& text);

    /// A message from elsewhere (the plan); gone with the next change of the text. Empty clears.
    void setMessage(const QString& message);
    bool isValid() const { return m_message->isHidden(); }

    QLineEdit* edit() const { return m_edit; }

Q_SIGNALS:
    void textEdited();

private:
    void checkText();

    QLineEdit* m_edit;
    QLabel* m_message;
    Check m_check;
};

}  // namespace kvist::ui
