// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSignalSpy>
#include <QTest>
#include <memory>

#include "experiments/sweep_controller.h"
#include "tests/experiments/controller_fixture.h"

namespace kvist::experiments {

/// A controller over a fake engine and the steps that every test of it takes.
class ControllerBench {
protected:
    void reset() { m_folder = std::make_unique<ControllerFolder>(); }
    void open(test::FakeBehaviour behaviour = {}) {
        m_controller = std::make_unique<SweepController>(m_folder->options(std::move(behaviour)));
        QSignalSpy opened(&*m_controller, &SweepController::storeOpened);
        m_controller->openStore(m_folder->store());
        QVERIFY(opened.wait());
    }
    void reopen() {
        m_controller.reset();
        open();
    }
    SweepPlan plan(const Sweep& sweep = ControllerFolder::sweep()) {
        QSignalSpy planned(&*m_controller, &SweepController::planned);
        m_controller->planSweep(sweep);
        return planned.wait() ? planned[0][0].value<SweepPlan>() : SweepPlan{};
    }
    void startAndWait(const SweepPlan& plan, StoredRuns stored = StoredRuns::Skip) {
        QSignalSpy ended(&*m_controller, &SweepController::sweepFinished);
        m_controller->start(plan, stored);
        QVERIFY(ended.wait(20000));
        m_summary = ended[0][0].value<SweepSummary>();
    }
    void runToEnd(const Sweep& sweep = ControllerFolder::sweep()) { startAndWait(plan(sweep)); }

    std::unique_ptr<ControllerFolder> m_folder;
    std::unique_ptr<SweepController> m_controller;
    SweepSummary m_summary;
};

}  // namespace kvist::experiments
