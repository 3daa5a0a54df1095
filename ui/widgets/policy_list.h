// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QWidget>
#include <vector>

#include "experiments/sweep.h"
#include "ui/widgets/option_row.h"
#include "ui/widgets/store_field.h"

namespace kvist::ui {

/// Every policy of the catalog under the heading of what it decides by, to be chosen and set.
class PolicyList : public QWidget {
    Q_OBJECT
public:
    explicit PolicyList(QWidget* parent = nullptr);

    /// The chosen ones in the order of the catalog; further entries of the same policy, which only a sweep
    /// file can have, follow the first.
    std::vector<experiments::SweepPolicy> policies() const;
    void setPolicies(const std::vector<experiments::SweepPolicy>& policies);

    OptionRow* row(const std::string& id) const;
    /// How the policy's entries are held; null where there is no such policy, or it is a store itself.
    StoreField* store(const std::string& id) const;

Q_SIGNALS:
    void edited();

protected:
    void changeEvent(QEvent* event) override;

private:
    StoreField* addStore(OptionRow* row);
    void paintMarks();
    void filterRows(const QString& text);

    struct Group {
        QLabel* heading;
        std::vector<OptionRow*> rows;
    };
    std::vector<OptionRow*> m_rows;
    std::vector<StoreField*> m_stores;  // of the rows; none for policies that are stores themselves
    std::vector<Group> m_groups;
    std::vector<experiments::SweepPolicy> m_further;
    QLineEdit* m_search;
    QLabel* m_furtherNote;
};

}  // namespace kvist::ui
