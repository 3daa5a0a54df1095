// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kvist::app {

inline constexpr int kAllFinished = 0;
inline constexpr int kWrongUse = 1;  ///< or unreadable input
inline constexpr int kSomeFailed = 2;

/// The shell's convention for a program that a signal ended: 130 for SIGINT, 143 for SIGTERM.
inline constexpr int stoppedBy(int signal) {
    return 128 + signal;
}

}  // namespace kvist::app
