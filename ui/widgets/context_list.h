// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVBoxLayout>
#include <QWidget>
#include <vector>

#include "experiments/sweep.h"
#include "ui/widgets/checked_edit.h"

namespace kvist::ui {

/// Contexts as pairs of tokens not scored and tokens scored; one line each, with a button for a further one.
class ContextList : public QWidget {
    Q_OBJECT
public:
    explicit ContextList(QWidget* parent = nullptr);

    std::vector<experiments::SweepContext> contexts() const;
    void setContexts(const std::vector<experiments::SweepContext>& contexts);

    CheckedEdit* warmField(std::size_t index) const { return index < m_lines.size() ? m_lines[index].warm : nullptr; }
    CheckedEdit* scoreField(std::size_t index) const { return index < m_lines.size() ? m_lines[index].score : nullptr; }

Q_SIGNALS:
    void edited();

private:
    struct Line {
        QWidget* widget;
        CheckedEdit* warm;
        CheckedEdit* score;
    };
    void addLine(const experiments::SweepContext& context);
    void removeLine(QWidget* widget);
    CheckedEdit* makeField(const QString& id, const QString& name, const QString& help, const std::string& text,
                           int least, QWidget* parent);

    QVBoxLayout* m_layout;
    std::vector<Line> m_lines;
};

}  // namespace kvist::ui
