// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include "engine/model/model_config.h"
#include "engine/policies/pruning_policy.h"

namespace kvist::testing {

/// Gives a policy random statistics of a model of this shape where it asks for some. Leaves libtorch's own random
/// numbers alone.
inline void giveCalibration(PruningPolicy& policy, const ModelConfig& config) {
    const auto request = policy.calibration();
    if (!request) {
        return;
    }
    const at::Generator generator = at::detail::createCPUGenerator(23);
    if (request->kind == CalibrationKind::DistantAttention) {
        policy.calibrate({at::rand({config.layers, config.kvHeads}, generator), "random"});
        return;
    }
    const at::Tensor values = at::randn({config.layers, config.queryHeads, 3, config.headDim / 2}, generator);
    const at::Tensor mean = at::hypot(values.select(2, 0), values.select(2, 1));
    values.select(2, 2).abs_().add_(mean);  // a mean absolute value is no less than that of the mean
    policy.calibrate({values, "random"});
}

}  // namespace kvist::testing
