// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/application.h"

#include <QApplication>
#include <clocale>
#include <exception>
#include <iostream>
#include <memory>

#include "app/catalog_lists.h"
#include "app/download_command.h"
#include "app/engine_options.h"
#include "app/exit_code.h"
#include "app/generate_command.h"
#include "app/headless_runner.h"
#include "app/log_handler.h"
#include "app/resources_folder.h"
#include "app/score_command.h"
#include "app/version.h"
#include "app/window_command.h"
#include "engine/api/engine.h"

namespace kvist::app {
namespace {

/// Commands that need no Qt application. False for the others.
bool printAnswer(const CommandLine& line) {
    switch (line.command) {
        case Command::Help:
            std::cout << helpText();
            return true;
        case Command::Version:
            std::cout << "kvist " << programVersion() << '\n';
            return true;
        case Command::ListPolicies:
            std::cout << policyList(line.asJson);
            return true;
        case Command::ListEvaluations:
            std::cout << evaluationList(line.asJson);
            return true;
        default:
            return false;
    }
}

bool hasDisplay() {
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY") ||
           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

/// Charts and the window need widgets; without a display they are drawn offscreen, which must be chosen
/// before the application is made.
std::unique_ptr<QCoreApplication> makeApplication(const CommandLine& line, int& count, char** arguments) {
    const bool drawsCharts = line.command == Command::Headless && !(line.charts.empty() && line.report.empty());
    if (drawsCharts && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    std::unique_ptr<QCoreApplication> application;
    if (drawsCharts || line.command == Command::Window) {
        application = std::make_unique<QApplication>(count, arguments);
    } else {
        application = std::make_unique<QCoreApplication>(count, arguments);
    }
    // Qt takes the user's locale for all of C; numbers in files and results keep the point.
    std::setlocale(LC_NUMERIC, "C");
    QCoreApplication::setOrganizationName(QStringLiteral("kvist"));
    QCoreApplication::setApplicationName(QStringLiteral("kvist"));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Kvist"));
    QGuiApplication::setDesktopFileName(QStringLiteral("kvist"));
    QCoreApplication::setApplicationVersion(QString::fromUtf8(programVersion()));
    return application;
}

experiments::ControllerOptions controllerOptions(const std::string& resources) {
    return {[options = engineOptions(resources)] { return makeEngine(options); }, resources, programVersion()};
}

int runWithApplication(const CommandLine& line) {
    const std::string resources = resourcesFolder();
    switch (line.command) {
        case Command::Generate:
            return generateText(line, resources);
        case Command::Score:
            return scoreText(line, resources);
        case Command::Download:
            return downloadModel(line);
        case Command::Headless:
            return HeadlessRunner(line, controllerOptions(resources)).run();
        default:
            return showWindow(line, controllerOptions(resources));
    }
}

/// The exit code, unless what was printed is lost (a full disk behind a redirection).
int checkedCode(int code) {
    if (std::cout.flush()) {
        return code;
    }
    std::cerr << "kvist: standard output could not be written to its end; results of a sweep are in its store\n";
    return kWrongUse;
}

}  // namespace

int runCommand(const CommandLine& line, char* programName) {
    try {
        if (printAnswer(line)) {
            return checkedCode(kAllFinished);
        }
        if (line.command == Command::Window && !hasDisplay()) {
            std::cerr << "kvist: there is no display for the window; kvist --headless runs a sweep without one\n";
            return kWrongUse;
        }
        installLogHandler();
        // Qt reads no options of its own: those of the command line are checked by then.
        int count = 1;
        char* arguments[] = {programName, nullptr};
        const auto application = makeApplication(line, count, arguments);
        return checkedCode(runWithApplication(line));
    } catch (const std::exception& error) {
        std::cerr << "kvist: " << error.what() << '\n';
        return kWrongUse;
    }
}

}  // namespace kvist::app
