// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cuda/host_device.h"

#include <math.h>

namespace kvist::kernels::cuda {

/// Softmax over logits that come one by one: the largest so far and Σ e^(logit - largest). What was summed with
/// these weights is multiplied by the factor that add() and merge() name whenever the largest rises.
struct SoftmaxState {
    float maximum = -INFINITY;
    float sum = 0.0F;

    struct Step {
        float factor;  ///< for what was summed before
        float weight;  ///< of what comes in
    };

    KVIST_HOST_DEVICE Step add(float logit) { return merge({logit, 1.0F}); }

    /// Brings in a state over other logits. A state without any changes nothing.
    KVIST_HOST_DEVICE Step merge(const SoftmaxState& other) {
        if (other.sum == 0.0F)
            return {1.0F, 0.0F};
        // Not fmaxf: NaN must come through.
        const float larger = other.maximum > maximum || other.maximum != other.maximum ? other.maximum : maximum;
        const Step step{sum == 0.0F ? 0.0F : expf(maximum - larger), expf(other.maximum - larger)};
        sum = sum * step.factor + other.sum * step.weight;
        maximum = larger;
        return step;
    }
};

}  // namespace kvist::kernels::cuda
