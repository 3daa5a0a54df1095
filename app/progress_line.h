// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/api/run_observer.h"

namespace kvist::app {

/// One line on standard error that is written over while work goes on, where that is a terminal; elsewhere
/// only whole lines appear.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();

    /// Shows a passing state; nothing where standard error is no terminal.
    void show(const std::string& text);
    /// Prints a line that stays.
    void print(const std::string& text);
    void clear();

private:
    bool m_isTerminal;
    bool m_isShown = false;
};

/// "loading", "scoring" …
const char* phaseText(RunPhase phase);

/// "scoring 63 %", without the share while the total is unknown.
std::string progressText(RunPhase phase, std::int64_t done, std::int64_t total);

}  // namespace kvist::app
