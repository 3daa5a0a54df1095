// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>

#include "engine/api/run_observer.h"
#include "engine/api/run_result.h"

namespace kvist {

/// Cuts the scored tokens of a run into blocks of 32, each of which becomes one point of a curve.
class CurveBlocks {
public:
    /// Calls visit(first, last) for the tokens [first, last) of each block that is complete among `count` tokens and
    /// was not visited yet, and for an incomplete one where no more tokens follow.
    template <typename Visit>
    void advance(std::size_t count, bool isLast, Visit visit) {
        while (m_visited + kTokens <= count || (isLast && m_visited < count)) {
            const std::size_t first = m_visited;
            m_visited = std::min(first + kTokens, count);
            visit(first, m_visited);
        }
    }

private:
    static constexpr std::size_t kTokens = 32;

    std::size_t m_visited = 0;
};

/// Adds a point to a curve of the result, and tells the observer.
inline void addPoint(RunResult& result, RunObserver& observer, const char* name, double x, double y) {
    Curve& curve = result.curves[name];
    curve.x.push_back(x);
    curve.y.push_back(y);
    observer.onMetric(name, x, y);
}

}  // namespace kvist
