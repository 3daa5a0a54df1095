// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QSocketNotifier;

namespace kvist::app {

/// Turns SIGINT and SIGTERM into a Qt signal in the thread that made the object. A second one ends the
/// program at once; finished runs are in the store by then. One object at a time.
class StopSignals : public QObject {
    Q_OBJECT

public:
    explicit StopSignals(QObject* parent = nullptr);
    ~StopSignals() override;

    /// The signal that came, or 0.
    int received() const { return m_received; }

Q_SIGNALS:
    void stopRequested(int signal);

private:
    void readPipe();

    QSocketNotifier* m_notifier = nullptr;
    int m_received = 0;
};

}  // namespace kvist::app
