// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/model/model_config.h"

namespace kvist {

class Weights;

/// Throws EngineError(UnreadableFile) with file and tensor where one of the tensors that a decoder with this
/// configuration copies is missing or has another shape. Reads no numbers.
void checkTensors(const ModelConfig& config, const Weights& weights);

}  // namespace kvist
