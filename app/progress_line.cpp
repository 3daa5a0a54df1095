// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/progress_line.h"

#include <unistd.h>

#include <cstdio>

namespace kvist::app {

ProgressLine::ProgressLine() : m_isTerminal(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
    clear();
}

void ProgressLine::show(const std::string& text) {
    if (m_isTerminal) {
        std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
        std::fflush(stderr);
        m_isShown = true;
    }
}

void ProgressLine::print(const std::string& text) {
    clear();
    std::fprintf(stderr, "%s\n", text.c_str());
}

void ProgressLine::clear() {
    if (m_isShown) {
        std::fputs("\r\x1b[K", stderr);
        std::fflush(stderr);
        m_isShown = false;
    }
}

const char* phaseText(RunPhase phase) {
    switch (phase) {
        case RunPhase::Loading:
            return "loading";
        case RunPhase::Calibrating:
            return "calibrating";
        case RunPhase::Tokenizing:
            return "tokenizing";
        case RunPhase::Baseline:
            return "full cache";
        case RunPhase::Filling:
            return "filling the cache";
        case RunPhase::Scoring:
            return "scoring";
        case RunPhase::WarmingUp:
            return "warming up";
        case RunPhase::Timing:
            return "timing";
    }
    return "";
}

std::string progressText(RunPhase phase, std::int64_t done, std::int64_t total) {
    std::string text = phaseText(phase);
    if (total > 0) {
        text += ' ' + std::to_string(100 * done / total) + " %";
    }
    return text;
}

}  // namespace kvist::app
