// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/cpu_kernels.h"
#include "engine/kernels/cpu/vector/convert.h"

namespace kvist::kernels::KVIST_ISA {

void rmsNormRow(Element type, const void* x, const void* weight, std::int64_t width, float eps, void* out) {
    withType(type, [&]<class T>(T*) {
        const T* from = static_cast<const T*>(x);
        const T* weights = static_cast<const T*>(weight);
        T* to = static_cast<T*>(out);
        Float squares{};
        forEachVector(width, [&](std::int64_t i, std::int64_t some) {
            const Float v = loadUpTo(from + i, some);
            squares += v * v;
        });
        const float mean = sumOf(squares) / static_cast<float>(width);
        const Float scale = broadcast(1.0F / __builtin_sqrtf(mean + eps));
        forEachVector(width, [&](std::int64_t i, std::int64_t some) {
            const Float normed = roundTo<T>(loadUpTo(from + i, some) * scale);
            storeUpTo(to + i, normed * loadUpTo(weights + i, some), some);
        });
    });
}

void siluMultiplyRow(Element type, const void* gate, const void* up, std::int64_t width, void* out) {
    withType(type, [&]<class T>(T*) {
        const T* gates = static_cast<const T*>(gate);
        const T* ups = static_cast<const T*>(up);
        T* to = static_cast<T*>(out);
        const Float minusLog2E = broadcast(-1.44269504F);
        forEachVector(width, [&](std::int64_t i, std::int64_t some) {
            const Float g = loadUpTo(gates + i, some);
            // 2^126 stands in for anything larger: the quotient rounds to the same zero.
            Float power = g * minusLog2E;
            power = power > broadcast(126.0F) ? broadcast(126.0F) : power;
            const Float silu = roundTo<T>(g / (exp2(power) + broadcast(1.0F)));
            storeUpTo(to + i, silu * loadUpTo(ups + i, some), some);
        });
    });
}

void rotateHead(Element type, void* head, const float* cos, const float* sin, std::int64_t half) {
    withType(type, [&]<class T>(T*) {
        T* low = static_cast<T*>(head);
        T* high = low + half;
        forEachVector(half, [&](std::int64_t i, std::int64_t some) {
            const Float a = loadUpTo(low + i, some);
            const Float b = loadUpTo(high + i, some);
            const Float c = loadUpTo(cos + i, some);
            const Float s = loadUpTo(sin + i, some);
            storeUpTo(low + i, a * c - b * s, some);
            storeUpTo(high + i, b * c + a * s, some);
        });
    });
}

}  // namespace kvist::kernels::KVIST_ISA
