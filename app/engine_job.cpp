// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine_job.h"

#include <QCoreApplication>
#include <exception>
#include <iostream>
#include <thread>

#include "app/exit_code.h"
#include "app/stop_signals.h"

namespace kvist::app {
namespace {

int exitCodeOf(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::InvalidInput:
        case ErrorKind::UnreadableFile:
        case ErrorKind::UnsupportedModel:
            return kWrongUse;
        default:
            return kSomeFailed;
    }
}

}  // namespace

int runEngineJob(const EngineOptions& options, const std::function<int(Engine&, std::stop_token)>& job) {
    StopSignals signals;
    std::stop_source stop;
    QObject::connect(&signals, &StopSignals::stopRequested, [&](int) { stop.request_stop(); });

    int code = kSomeFailed;
    bool isCancelled = false;
    std::thread worker([&] {
        try {
            code = job(*makeEngine(options), stop.get_token());
        } catch (const EngineError& error) {
            isCancelled = error.kind() == ErrorKind::Cancelled;
            code = exitCodeOf(error.kind());
            std::cerr << "kvist: " << (isCancelled ? "stopped" : error.what()) << '\n';
        } catch (const std::exception& error) {
            std::cerr << "kvist: " << error.what() << '\n';
        }
        QMetaObject::invokeMethod(QCoreApplication::instance(), &QCoreApplication::quit, Qt::QueuedConnection);
    });
    QCoreApplication::exec();
    worker.join();
    return isCancelled && signals.received() != 0 ? stoppedBy(signals.received()) : code;
}

}  // namespace kvist::app
