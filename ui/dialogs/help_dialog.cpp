// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/help_dialog.h"

#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "ui/style/metrics.h"

namespace kvist::ui {

HelpDialog::HelpDialog(QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Help"));
    auto* text = new QTextBrowser(this);
    text->setAccessibleName(windowTitle());
    text->setMarkdown(tr(
        "### Measure\n"
        "1. Choose a **model** at the left: the bundled demo, or a folder with a Qwen2 or Qwen2.5 model "
        "(config.json, weights as safetensors, tokenizer), a GGUF file, one of the models that other programs have on "
        "this computer, or a download from Hugging Face.\n"
        "2. Tick what to **measure** and the **policies** to compare; the wheel beside each opens its explanation and "
        "its own parameters.\n"
        "3. Give **budgets** and **contexts**. Lists (64, 128) and ranges (64-512*2, 0.1-0.9+0.2) are axes: every "
        "combination becomes a run. Budgets are entries per head, a share of the context (25%) or memory (1MiB).\n"
        "4. Press **Start** (Ctrl+Return). Runs that are stored already are skipped, and the full cache is added to "
        "compare with.\n\n"
        "### Watch\n"
        "Charts follow the data. The wheel zooms at the cursor, dragging pans, dragging with Shift zooms into the "
        "rectangle, a double click follows again; point at "
        "a marker for exact values, click a name to hide its curve. Ctrl+. pauses after the current run. Each finished "
        "run is stored at once: nothing is lost when the program ends.\n\n"
        "### Read\n"
        "**Perplexity** is exp of the mean negative log likelihood of the scored tokens, with its standard error. "
        "**ΔNLL** is the paired difference to the full cache on the same tokens. **KV payload** are the live keys and "
        "values. The **roofline** is the speed that reading memory and the arithmetic of attention allow, both "
        "measured. **More figures** draws "
        "whatever else was measured over the budget: divergence from the full cache (KL, Δp, same top choice; set "
        "divergence to true beside Perplexity), retrieval, drift, bytes, and what a policy takes of a step. Select "
        "runs in the table to see everything that is known about them, and how to repeat them.\n\n"
        "### Export\n"
        "Charts as PNG or CSV, all of them into a folder, the runs as CSV with every figure at full precision, the "
        "table by copying (Ctrl+Shift+C)."));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(text, 1);
    layout->addWidget(buttons);
    resize(textWidth(this, 90), spacingUnit(this) * 60);
}

}  // namespace kvist::ui
