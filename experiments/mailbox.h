// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <mutex>
#include <vector>

#include "experiments/message.h"

namespace kvist::experiments {

/// Hands values from the working threads to the thread that the mailbox lives in. The signal carries nothing:
/// it only says that there is something to take. Progress of a run is merged with the progress of the same
/// run that waits already, so that a busy worker never fills the memory of an idle window.
class Mailbox : public QObject {
    Q_OBJECT

public:
    /// From any thread.
    void post(Message message);

    /// Everything that waits, in the order posted.
    std::vector<Message> take();

    /// Something other than progress waits.
    bool isUrgent() const;
    bool isEmpty() const;

Q_SIGNALS:
    void filled();  ///< the mailbox was empty before, or the new message is urgent

private:
    mutable std::mutex m_mutex;
    std::vector<Message> m_messages;
    bool m_isUrgent = false;
};

/// Brings `waiting` to the state of `newer`, the points of both in it.
void merge(RunProgress& waiting, RunProgress&& newer);

}  // namespace kvist::experiments
