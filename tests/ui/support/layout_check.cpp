// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/layout_check.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QStyle>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>

#include "ui/charts/chart_view.h"
#include "ui/models/run_columns.h"

namespace kvist::test {

namespace {

QString nameOf(const QWidget& widget) {
    QString name = widget.metaObject()->className();
    for (const QWidget* one = &widget; one != nullptr; one = one->parentWidget()) {
        if (!one->objectName().isEmpty()) {
            name += QLatin1Char(' ') + one->objectName();
            break;
        }
    }
    return name;
}

void checkLabel(const QLabel& label, QStringList& problems) {
    if (label.text().isEmpty()) {
        return;
    }
    const bool fits =
        label.wordWrap() ? label.heightForWidth(label.width()) <= label.height() + 1
                         : label.sizeHint().width() <= label.width() && label.sizeHint().height() <= label.height() + 1;
    if (!fits) {
        problems << QStringLiteral("%1: \"%2\" does not fit").arg(nameOf(label), label.text().left(60));
    }
}

void checkButton(const QAbstractButton& button, QStringList& problems) {
    if (!button.text().isEmpty() && button.sizeHint().width() > button.width() &&
        button.inherits("QTabBarButton") == false) {
        problems << QStringLiteral("%1: \"%2\" does not fit").arg(nameOf(button), button.text());
    }
}

void checkComboBox(const QComboBox& box, QStringList& problems) {
    QStyleOptionComboBox option;
    option.initFrom(&box);
    const QRect field = box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
    if (box.fontMetrics().horizontalAdvance(box.currentText()) > field.width()) {
        problems << QStringLiteral("%1: \"%2\" does not fit").arg(nameOf(box), box.currentText());
    }
}

void checkHeader(const QTableView& table, QStringList& problems) {
    const QHeaderView& header = *table.horizontalHeader();
    for (int column = 0; column < header.count(); ++column) {
        const int needed =
            header.fontMetrics().horizontalAdvance(table.model()->headerData(column, Qt::Horizontal).toString());
        if (!header.isSectionHidden(column) && needed > header.sectionSize(column)) {
            problems << QStringLiteral("column %1 is too narrow for its title").arg(column);
        }
    }
    for (int row = 0; row < table.model()->rowCount(); ++row) {
        for (int column = ui::kPolicyColumn; column + 1 < header.count(); ++column) {  // the state is a mark
            const QModelIndex index = table.model()->index(row, column);
            const int needed = table.fontMetrics().horizontalAdvance(index.data().toString());
            if (!header.isSectionHidden(column) && needed > header.sectionSize(column)) {
                problems << QStringLiteral("cell \"%1\" is wider than its column").arg(index.data().toString());
            }
        }
    }
}

void checkChart(const ui::ChartView& view, QStringList& problems) {
    const ui::ChartLayout& layout = view.plot()->chartLayout();
    const QFontMetricsF metrics(view.plot()->look().font);
    const QRectF all(QPointF(), view.plot()->size());
    if (layout.plot.height() < 3 * metrics.height() || layout.plot.width() < 8 * metrics.height()) {
        problems << QStringLiteral("%1: the plot has no room").arg(view.objectName());
    }
    for (std::size_t one = 0; one < layout.labels.size(); ++one) {
        const ui::SeriesLabel& label = layout.labels[one];
        if (label.text.contains(QChar(0x2026)) || !all.adjusted(-1, -1, 1, 1).contains(label.area)) {
            problems << QStringLiteral("%1: name \"%2\" is cut off").arg(view.objectName(), label.text);
        }
        for (std::size_t other = one + 1; other < layout.labels.size(); ++other) {
            if (label.area.adjusted(1, 1, -1, -1).intersects(layout.labels[other].area)) {
                problems << QStringLiteral("%1: names overlap").arg(view.objectName());
            }
        }
    }
    double right = -1;
    for (const ui::AxisTick& tick : layout.xTicks.ticks) {
        const double half = metrics.horizontalAdvance(tick.label) / 2;
        const double x = view.plot()->positionOf(tick.value, 0).x();
        if (!view.plot()->spec().isEmpty() && x - half < right) {
            problems << QStringLiteral("%1: tick labels overlap").arg(view.objectName());
        }
        right = x + half;
    }
    for (const ui::AxisTick& tick : layout.yTicks.ticks) {
        const double top = view.plot()->positionOf(1, tick.value).y() - metrics.height() / 2;
        if (!view.plot()->spec().isEmpty() && top < layout.yTitle.bottom() - 1) {
            problems << QStringLiteral("%1: a tick label lies on the axis title").arg(view.objectName());
        }
    }
    if (layout.noteText.contains(QChar(0x2026))) {
        problems << QStringLiteral("%1: the note is cut off").arg(view.objectName());
    }
}

/// Widgets in one layout must not lie on each other.
void checkOverlaps(const QWidget& widget, QStringList& problems) {
    const QLayout* layout = widget.layout();
    if (layout == nullptr || widget.inherits("QMainWindow") || widget.inherits("QToolBar")) {
        return;
    }
    for (int one = 0; one < layout->count(); ++one) {
        const QWidget* first = layout->itemAt(one)->widget();
        for (int other = one + 1; first != nullptr && other < layout->count(); ++other) {
            const QWidget* second = layout->itemAt(other)->widget();
            if (second != nullptr && first->isVisible() && second->isVisible() &&
                first->geometry().intersects(second->geometry())) {
                problems << QStringLiteral("%1 and %2 overlap").arg(nameOf(*first), nameOf(*second));
            }
        }
    }
}

}  // namespace

QStringList layoutProblems(const QWidget& window) {
    QStringList problems;
    for (const QWidget* widget : window.findChildren<const QWidget*>()) {
        if (!widget->isVisibleTo(&window) || widget->visibleRegion().isEmpty()) {
            continue;
        }
        checkOverlaps(*widget, problems);
        if (const auto* label = qobject_cast<const QLabel*>(widget)) {
            checkLabel(*label, problems);
        } else if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
            checkButton(*button, problems);
        } else if (const auto* box = qobject_cast<const QComboBox*>(widget)) {
            checkComboBox(*box, problems);
        } else if (const auto* table = qobject_cast<const QTableView*>(widget)) {
            checkHeader(*table, problems);
        } else if (const auto* chart = qobject_cast<const ui::ChartView*>(widget)) {
            checkChart(*chart, problems);
        } else if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
            if (tabs->count() > 0 && tabs->tabRect(tabs->count() - 1).right() > tabs->width()) {
                problems << QStringLiteral("%1: tabs do not fit").arg(nameOf(*tabs));
            }
        }
    }
    return problems;
}

}  // namespace kvist::test
