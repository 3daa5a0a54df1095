// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include "engine/kernels/matrix.h"

namespace kvist {

/// How a decoder holds its weights.
struct WeightForm {
    // Implicit: a type and a device alone are a form.
    WeightForm(at::TensorOptions chosen, bool inEightBits = false) : options(chosen), eightBit(inEightBits) {}

    /// A loaded matrix in this form.
    kernels::Matrix matrix(at::Tensor loaded) const {
        return eightBit ? kernels::eightBit(loaded) : kernels::Matrix{std::move(loaded)};
    }

    at::TensorOptions options;  ///< of biases, norms, the embedding, activations, and matrices that are not in 8 bits
    bool eightBit;              ///< matrices of products in 8 bits with a scale a row
};

}  // namespace kvist
