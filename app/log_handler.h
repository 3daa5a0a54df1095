// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kvist::app {

/// Sends Qt's messages to standard error as "kvist: warning: …", one line each, from any thread. Debug
/// messages appear where QT_LOGGING_RULES asks for them. Standard output stays for results.
void installLogHandler();

}  // namespace kvist::app
