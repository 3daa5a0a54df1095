// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/about_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/style/icons.h"
#include "ui/style/metrics.h"
#include "ui/widgets/role_label.h"

namespace kvist::ui {

namespace {

QString facts(const MachineInfo& machine) {
    QStringList lines{AboutDialog::tr("Kvist %1").arg(QApplication::applicationVersion()),
                      AboutDialog::tr("Qt %1").arg(QString::fromLatin1(qVersion()))};
    if (!machine.libtorchVersion.empty()) {
        lines << AboutDialog::tr("libtorch %1").arg(QString::fromStdString(machine.libtorchVersion));
    }
    if (!machine.cpu.empty()) {
        lines << QString::fromStdString(machine.summary());
    }
    for (const std::string& gpu : machine.gpus) {
        lines << QString::fromStdString(gpu);
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

AboutDialog::AboutDialog(const MachineInfo& machine, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("About Kvist"));
    const int unit = spacingUnit(this);
    auto* mark = new QLabel(this);
    mark->setPixmap(applicationIcon().pixmap(QSize(unit * 8, unit * 8), devicePixelRatioF()));
    auto* text = new QLabel(facts(machine), this);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* purpose = makeLabel(tr("Measures what a smaller key/value cache costs: pruning policies for Qwen2.5, their "
                                 "quality, memory and speed."),
                              TextRole::Muted, this);
    auto* licence =
        makeLabel(tr("Free software under the GNU General Public License, version 3 or later."), TextRole::Muted, this);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* copy = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    copy->setIcon(themedIcon(QStringLiteral("copy")));
    connect(copy, &QPushButton::clicked, this, [machine] { QApplication::clipboard()->setText(facts(machine)); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* column = new QVBoxLayout;
    column->setSpacing(unit);
    column->addWidget(text);
    column->addWidget(purpose);
    column->addWidget(licence);
    auto* row = new QHBoxLayout;
    row->setSpacing(unit * 2);
    row->addWidget(mark, 0, Qt::AlignTop);
    row->addLayout(column, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(unit * 2, unit * 2, unit * 2, unit * 2);
    layout->setSpacing(unit * 2);
    layout->addLayout(row);
    layout->addWidget(buttons);
    setMinimumWidth(textWidth(this, 60));
}

}  // namespace kvist::ui
