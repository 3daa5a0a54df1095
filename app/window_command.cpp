// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window_command.h"

#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QIcon>

#include "app/exit_code.h"
#include "app/stop_signals.h"
#include "engine/api/engine_error.h"
#include "ui/main_window.h"
#include "ui/style/theme.h"

namespace kvist::app {
namespace {

/// FILE as what it is: a result store by its first bytes, otherwise a sweep file.
ui::WindowOptions windowOptions(const CommandLine& line, const std::string& resources) {
    ui::WindowOptions options;
    options.resources = QString::fromStdString(resources);
    if (line.subject.empty()) {
        return options;
    }
    const QString path = QFileInfo(QString::fromStdString(line.subject)).absoluteFilePath();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        throw EngineError(ErrorKind::UnreadableFile,
                          line.subject + " cannot be read: " + file.errorString().toStdString());
    }
    const bool isStore = file.read(16) == QByteArray("SQLite format 3\0", 16);
    (isStore ? options.storePath : options.sweepFile) = path;
    return options;
}

}  // namespace

int showWindow(const CommandLine& line, const experiments::ControllerOptions& options) {
    const ui::WindowOptions files = windowOptions(line, options.resources);
    ui::Theme theme;
    experiments::SweepController controller(options);
    ui::MainWindow window(controller, theme, files);
    StopSignals signals;
    QObject::connect(&signals, &StopSignals::stopRequested,
                     [](int signal) { QCoreApplication::exit(stoppedBy(signal)); });
    window.show();
    return QApplication::exec();
}

}  // namespace kvist::app
