// SPDX-License-Identifier: GPL-3.0-or-later
// A program that runs a sweep over a fake engine and says what it does, to be killed by a test:
// sweep_child STORE FOLDER STEP_MS
#include <QCoreApplication>
#include <cstdio>

#include "experiments/sweep_controller.h"
#include "tests/experiments/plan_facts.h"
#include "tests/support/fake_engine.h"

int main(int argc, char** argv) {
    using namespace kvist::experiments;
    QCoreApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    if (arguments.size() != 4) {
        return 1;
    }
    const auto say = [](const char* what, RunId id) {
        std::printf("%s %lld\n", what, id);
        std::fflush(stdout);
    };
    SweepController controller(
        {.makeEngine = kvist::test::fakeEngineFactory({.stepTime = std::chrono::milliseconds(arguments[3].toInt())}),
         .resources = arguments[2].toStdString(),
         .programVersion = "child"});
    QObject::connect(&controller, &SweepController::storeOpened, &app, [&] {
        Sweep sweep = plainSweep();
        sweep.models = {"model"};
        controller.planSweep(sweep);
    });
    QObject::connect(&controller, &SweepController::planned, &app,
                     [&](const SweepPlan& plan) { controller.start(plan); });
    QObject::connect(&controller, &SweepController::runStarted, &app, [&](RunId id) { say("started", id); });
    QObject::connect(&controller, &SweepController::runFinished, &app, [&](RunId id) { say("finished", id); });
    QObject::connect(&controller, &SweepController::sweepFinished, &app, &QCoreApplication::quit);
    controller.openStore(arguments[1]);
    return app.exec();
}
