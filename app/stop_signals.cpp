// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/stop_signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <QSocketNotifier>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "app/exit_code.h"

namespace kvist::app {
namespace {

constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};

std::array<int, 2> pipeEnds = {-1, -1};
volatile std::sig_atomic_t alreadyStopping = 0;

/// Only what is safe in a signal handler: one byte into the pipe.
void onSignal(int signal) {
    if (alreadyStopping != 0) {
        _exit(stoppedBy(signal));
    }
    alreadyStopping = 1;
    const int before = errno;
    const auto byte = static_cast<unsigned char>(signal);
    [[maybe_unused]] const ssize_t written = write(pipeEnds[1], &byte, 1);
    errno = before;
}

void handleWith(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    for (const int signal : kSignals) {
        sigaction(signal, &action, nullptr);
    }
}

}  // namespace

StopSignals::StopSignals(QObject* parent) : QObject(parent) {
    if (pipe2(pipeEnds.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        throw std::system_error(errno, std::generic_category(), "no pipe for signals");
    }
    m_notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &StopSignals::readPipe);
    alreadyStopping = 0;
    handleWith(onSignal);
}

StopSignals::~StopSignals() {
    handleWith(SIG_DFL);
    m_notifier->setEnabled(false);
    close(pipeEnds[0]);
    close(pipeEnds[1]);
}

void StopSignals::readPipe() {
    unsigned char byte = 0;
    if (read(pipeEnds[0], &byte, 1) == 1) {
        m_received = byte;
        Q_EMIT stopRequested(m_received);
    }
}

}  // namespace kvist::app
