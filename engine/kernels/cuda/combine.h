// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cuda/decode_plan.h"
#include "engine/kernels/cuda/softmax_state.h"

namespace kvist::kernels::cuda {

/// The state of one query head over all its splits. `partials` are [splits] of partialSize(headDim) floats:
/// sums of values, then the largest logit, then the sum of weights.
KVIST_HOST_DEVICE inline SoftmaxState combineStates(const float* partials, int splits, int headDim) {
    SoftmaxState state;
    for (int split = 0; split < splits; ++split) {
        const float* partial = partials + split * partialSize(headDim);
        state.merge({partial[headDim], partial[headDim + 1]});
    }
    return state;
}

/// One component of the weighted sum of values relative to the head's final state; divided by the state's sum it
/// is the attention output.
KVIST_HOST_DEVICE inline float combineComponent(const float* partials, int splits, int headDim, int component,
                                                const SoftmaxState& state) {
    float total = 0.0F;
    for (int split = 0; split < splits; ++split) {
        const float* partial = partials + split * partialSize(headDim);
        if (partial[headDim + 1] != 0.0F)
            total += partial[component] * expf(partial[headDim] - state.maximum);
    }
    return total;
}

/// The probability of a slot summed over query heads, those of a group or all. `logits` are [heads, stride], `states`
/// the heads' final ones.
KVIST_HOST_DEVICE inline float massOfSlot(const float* logits, std::int64_t stride, std::int64_t slot, int heads,
                                          const SoftmaxState* states) {
    float mass = 0.0F;
    for (int row = 0; row < heads; ++row)
        mass += expf(logits[row * stride + slot] - states[row].maximum) / states[row].sum;
    return mass;
}

}  // namespace kvist::kernels::cuda
