// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QTemporaryDir>

#include "experiments/file_text.h"
#include "experiments/sweep_controller.h"
#include "tests/experiments/plan_facts.h"
#include "tests/support/fake_engine.h"

namespace kvist::experiments {

/// A folder with a fake model ("model") and a text ("book.txt"), for controllers over a fake engine.
class ControllerFolder {
public:
    ControllerFolder() {
        QDir(m_folder.path()).mkdir("model");
        (void)writeFile(m_folder.filePath("book.txt").toStdString(), "Once upon a time.");
    }

    QString store() const { return m_folder.filePath("results.sqlite"); }
    QString file(const QString& name) const { return m_folder.filePath(name); }

    ControllerOptions options(test::FakeBehaviour behaviour = {}) const {
        return {.makeEngine = test::fakeEngineFactory(std::move(behaviour)),
                .resources = m_folder.path().toStdString(),
                .programVersion = "0.1-test"};
    }

    /// Full cache and window at two budgets over 192 tokens: three runs of six chunks each.
    static Sweep sweep() {
        Sweep sweep = plainSweep();
        sweep.models = {"model"};
        return sweep;
    }

private:
    QTemporaryDir m_folder;
};

}  // namespace kvist::experiments
