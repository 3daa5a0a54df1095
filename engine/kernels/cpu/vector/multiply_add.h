// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/vector/vector.h"

namespace kvist::kernels::KVIST_ISA {

/// CpuKernels::multiplyAdds: chains of x · factor + addend that do not wait for each other and touch no memory.
inline std::int64_t multiplyAdds(std::int64_t rounds, float* values) {
    constexpr int kChains = 12;  // with both operands within the sixteen registers of the older sets
    const Float factor = broadcast(values[0]);
    const Float addend = broadcast(values[1]);
    Float chains[kChains];
    for (int chain = 0; chain < kChains; ++chain)
        chains[chain] = addend * static_cast<float>(chain);
    for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
        for (int chain = 0; chain < kChains; ++chain)
            chains[chain] = chains[chain] * factor + addend;
    }
    Float total = chains[0];
    for (int chain = 1; chain < kChains; ++chain)
        total += chains[chain];
    values[0] = sumOf(total);
    return 2 * kChains * kWidth * rounds;
}

}  // namespace kvist::kernels::KVIST_ISA
