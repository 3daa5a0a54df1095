// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/download_command.h"

#include <QCoreApplication>
#include <iostream>

#include "app/exit_code.h"
#include "app/progress_line.h"
#include "app/stop_signals.h"
#include "experiments/hub/hub_download.h"

namespace kvist::app {
namespace {

QString progressText(const experiments::HubProgress& progress) {
    constexpr double kMebibyte = 1 << 20;
    QString text = QStringLiteral("%1 of %2 MiB")
                       .arg(static_cast<double>(progress.done) / kMebibyte, 0, 'f', 1)
                       .arg(static_cast<double>(progress.total) / kMebibyte, 0, 'f', 1);
    if (progress.perSecond > 0 && progress.done < progress.total) {
        const auto left = static_cast<qint64>(static_cast<double>(progress.total - progress.done) / progress.perSecond);
        text += QStringLiteral(", %1 MiB/s, %2:%3 left")
                    .arg(progress.perSecond / kMebibyte, 0, 'f', 1)
                    .arg(left / 60)
                    .arg(left % 60, 2, 10, QLatin1Char('0'));
    }
    return progress.file.isEmpty() ? text : progress.file + QStringLiteral(": ") + text;
}

}  // namespace

int downloadModel(const CommandLine& line) {
    experiments::HubRequest request;
    request.repository = QString::fromStdString(line.subject);
    request.revision = QString::fromStdString(line.revision);
    request.file = QString::fromStdString(line.gguf);
    experiments::HubDownload download(experiments::HubSettings::ofThisUser(), request);
    ProgressLine progress;
    StopSignals signals;
    const auto end = [](int code) { QCoreApplication::exit(code); };
    QObject::connect(&signals, &StopSignals::stopRequested, [&](int signal) {
        download.cancel();
        progress.print("stopped; the same command goes on from here");
        end(128 + signal);
    });
    QObject::connect(&download, &experiments::HubDownload::progressed,
                     [&](const experiments::HubProgress& now) { progress.show(progressText(now).toStdString()); });
    QObject::connect(&download, &experiments::HubDownload::finished, [&](const QString& path) {
        progress.clear();
        std::cout << path.toStdString() << std::endl;
        end(kAllFinished);
    });
    QObject::connect(&download, &experiments::HubDownload::failed, [&](const QString& message) {
        progress.clear();
        std::cerr << "kvist: " << message.toStdString() << '\n';
        end(kWrongUse);
    });
    QMetaObject::invokeMethod(&download, &experiments::HubDownload::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

}  // namespace kvist::app
