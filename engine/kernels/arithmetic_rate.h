// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kvist::kernels {

/// Floating-point operations per second of `threads` threads that multiply and add float32 vectors as the kernels of
/// this CPU do, without touching memory: the best of several passes, measured now, in under a second.
double arithmeticRate(int threads);

}  // namespace kvist::kernels
