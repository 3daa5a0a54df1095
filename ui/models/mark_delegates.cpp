// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/mark_delegates.h"

#include "ui/models/run_table_model.h"
#include "ui/style/series_mark.h"

namespace kvist::ui {

void StateMarkDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    option->text.clear();
    option->features.setFlag(QStyleOptionViewItem::HasDisplay, false);
    option->decorationAlignment = Qt::AlignCenter;
}

void PolicyMarkDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const std::string policy = index.data(RunTableModel::kPolicyRole).toString().toStdString();
    const QPixmap mark = policyMark(policy, option->widget);
    option->icon = QIcon(mark);
    option->decorationSize = mark.size() / mark.devicePixelRatio();
    option->features |= QStyleOptionViewItem::HasDecoration;
}

}  // namespace kvist::ui
