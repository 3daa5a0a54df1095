// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/element.h"

#include <ATen/core/Tensor.h>

#include <optional>

namespace kvist::kernels {

/// The element type of a tensor that the CPU kernels can read: a CPU tensor of a type they know.
inline std::optional<Element> cpuElement(const at::Tensor& tensor) {
    if (!tensor.device().is_cpu())
        return std::nullopt;
    switch (tensor.scalar_type()) {
        case at::kFloat:
            return Element::Float32;
        case at::kBFloat16:
            return Element::BFloat16;
        case at::kHalf:
            return Element::Float16;
        default:
            return std::nullopt;
    }
}

}  // namespace kvist::kernels
