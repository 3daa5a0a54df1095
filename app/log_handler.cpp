// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/log_handler.h"

#include <QLoggingCategory>
#include <QString>
#include <cstdio>
#include <mutex>
#include <string>

namespace kvist::app {
namespace {

const char* wordOf(QtMsgType type) {
    switch (type) {
        case QtDebugMsg:
            return "debug: ";
        case QtWarningMsg:
            return "warning: ";
        case QtCriticalMsg:
        case QtFatalMsg:
            return "error: ";
        case QtInfoMsg:
            break;
    }
    return "";
}

/// What Qt says of the offscreen platform and of a machine without a login session; nothing can be done about it.
bool isNoise(const QString& text) {
    return text == QLatin1String("This plugin does not support propagateSizeHints()") ||
           text.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set"));
}

void write(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (isNoise(text)) {
        return;
    }
    static std::mutex mutex;
    std::string line = std::string("kvist: ") + wordOf(type);
    if (context.category != nullptr && std::string_view(context.category) != "default") {
        line += std::string(context.category) + ": ";
    }
    line += text.toStdString() + '\n';
    const std::lock_guard lock(mutex);
    std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

void installLogHandler() {
    if (!qEnvironmentVariableIsSet("QT_LOGGING_RULES")) {
        QLoggingCategory::setFilterRules(QStringLiteral("*.debug=false"));
    }
    qInstallMessageHandler(write);
}

}  // namespace kvist::app
