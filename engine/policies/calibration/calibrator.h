// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>

#include "engine/api/run_observer.h"
#include "engine/model/decoder.h"
#include "engine/policies/calibration/calibration.h"

namespace kvist {

/// Tokens that a model reads for a calibration. TriAttention's paper finds 50 thousand and more all alike; a mean
/// over four thousand is within a few percent of them.
inline constexpr std::int64_t kCalibrationTokens = 4096;

/// Feeds a text to a model in stretches, each with a full cache of its own, and measures what a policy asks for.
/// Reports tokens. Throws EngineError(InvalidInput) where model or text is too short to see anything, and
/// EngineError(Cancelled).
Calibration calibrate(const Decoder& decoder, const CalibrationRequest& request, std::span<const std::int32_t> tokens,
                      RunObserver& observer, const std::stop_token& stop);

}  // namespace kvist
