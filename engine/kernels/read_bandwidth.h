// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kvist::kernels {

/// Bytes per second of plain sequential reads by `threads` threads over a buffer far larger than any cache: the
/// best of several passes, measured now, in under a second. The limit of whatever reads each byte once.
double readBandwidth(int threads);

}  // namespace kvist::kernels
