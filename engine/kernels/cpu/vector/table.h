// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/vector/attention.h"
#include "engine/kernels/cpu/vector/attention_finish.h"
#include "engine/kernels/cpu/vector/coded_attention.h"
#include "engine/kernels/cpu/vector/linear.h"
#include "engine/kernels/cpu/vector/multiply_add.h"
#include "engine/kernels/cpu/vector/row_operations.h"

namespace kvist::kernels::KVIST_ISA {

constexpr CpuKernels table(const char* name) {
    return {name,       packInput,       linear,     attendPiece,      finishAttention, addMass,
            rmsNormRow, siluMultiplyRow, rotateHead, attendCodedPiece, multiplyAdds};
}

}  // namespace kvist::kernels::KVIST_ISA
