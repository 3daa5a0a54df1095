// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "engine/model/attention.h"

namespace kvist {

/// One figure of a model that is averaged over stretches of text.
class CalibrationMeasure {
public:
    virtual ~CalibrationMeasure() = default;

    /// One layer's projections of a stretch that starts at position 0, with the angles that turned them.
    virtual void add(std::int64_t layer, const Projection& projection, const RotaryAngles& angles) = 0;

    /// As CalibrationKind says, float32 on the CPU.
    virtual at::Tensor values() const = 0;
};

}  // namespace kvist
