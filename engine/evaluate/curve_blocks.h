// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "engine/api/run_observer.h"
#include "engine/api/run_result.h"

namespace kvist {

/// Scored tokens that one point of a curve stands for.
inline constexpr std::size_t kCurveBlock = 32;

/// Adds a point to a curve of the result, and tells the observer.
inline void addPoint(RunResult& result, RunObserver& observer, const char* name, double x, double y) {
    Curve& curve = result.curves[name];
    curve.x.push_back(x);
    curve.y.push_back(y);
    observer.onMetric(name, x, y);
}

}  // namespace kvist
