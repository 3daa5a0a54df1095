// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/cpu_kernels.h"
#include "engine/kernels/cpu/vector/convert.h"

namespace kvist::kernels::KVIST_ISA {

constexpr int kPair = 2 * kWidth;
/// Weights of each row are fetched this many bytes ahead of their use: far enough to hide memory, near enough to
/// stay in L1.
constexpr std::int64_t kAhead = 2048;

template <class T>
inline void packInputRow(const T* input, std::int64_t in, float* packed) {
    const std::int64_t padded = paddedDepth(in);
    for (std::int64_t i = 0; i < padded; i += kPair) {
        T some[kPair] = {};
        const std::int64_t count = in - i < kPair ? in - i : kPair;
        if (count > 0)
            __builtin_memcpy(some, input + i, static_cast<std::size_t>(count) * sizeof(T));
        Float first, second;
        loadPair(some, first, second);
        store(packed + i, first);
        store(packed + i + kWidth, second);
    }
}

/// Products of Rows rows of the weight, of type W, with Inputs rows of the input; the output has type T.
template <int Inputs, int Rows, class W, class T>
inline void multiplyRows(const LinearJob& job, std::int64_t row) {
    const W* weights = static_cast<const W*>(job.weight) + row * job.weightStride;
    const std::int64_t padded = paddedDepth(job.in);
    Float sums[Inputs][Rows] = {};

    const auto step = [&](const W* const(&from)[Rows], std::int64_t i) {
        Float x[Inputs][2];
#pragma GCC unroll 4
        for (int m = 0; m < Inputs; ++m) {
            x[m][0] = load(job.packedInput + m * padded + i);
            x[m][1] = load(job.packedInput + m * padded + i + kWidth);
        }
#pragma GCC unroll 4
        for (int r = 0; r < Rows; ++r) {
            Float first, second;
            loadPair(from[r], first, second);
#pragma GCC unroll 4
            for (int m = 0; m < Inputs; ++m) {
                sums[m][r] += first * x[m][0];
                sums[m][r] += second * x[m][1];
            }
        }
    };

    // What is fetched lies in the same row, or at its end at the beginning of the row that the sum after this one
    // reads; otherwise every row but the last would fetch its neighbour's weights again.
    const std::int64_t rowBytes = job.in * static_cast<std::int64_t>(sizeof(W));
    const std::int64_t ahead = rowBytes < kAhead ? rowBytes : kAhead;
    const std::int64_t nextRows = Rows * job.weightStride * static_cast<std::int64_t>(sizeof(W)) - rowBytes;

    std::int64_t i = 0;
    for (; i + kPair <= job.in; i += kPair) {
        const std::int64_t offset = i * static_cast<std::int64_t>(sizeof(W)) + ahead;
        const std::int64_t fetched = offset < rowBytes ? ahead : ahead + nextRows;
        const W* from[Rows];
#pragma GCC unroll 4
        for (int r = 0; r < Rows; ++r) {
            from[r] = weights + r * job.weightStride + i;
            for (std::size_t line = 0; line < kPair * sizeof(W); line += 64)
                __builtin_prefetch(reinterpret_cast<const char*>(from[r]) + fetched + line);
        }
        step(from, i);
    }
    if (i < job.in) {
        W tails[Rows][kPair] = {};
        const W* from[Rows];
        for (int r = 0; r < Rows; ++r) {
            __builtin_memcpy(tails[r], weights + r * job.weightStride + i,
                             static_cast<std::size_t>(job.in - i) * sizeof(W));
            from[r] = tails[r];
        }
        step(from, i);
    }

    T* out = static_cast<T*>(job.out) + row;
    const T* bias = job.bias ? static_cast<const T*>(job.bias) + row : nullptr;
    for (int m = 0; m < Inputs; ++m) {
        Float result{};
        for (int r = 0; r < Rows; ++r)
            result[r] = sumOf(sums[m][r]) * (job.scales ? job.scales[row + r] : 1.0F);
        if (bias)
            result += loadSome(bias, Rows);
        storeSome(out + m * job.outStride, result, Rows);
    }
}

template <int Inputs, class W, class T>
inline void multiplyRange(const LinearJob& job, std::int64_t begin, std::int64_t end) {
    constexpr int kRows = 4;
    std::int64_t row = begin;
    for (; row + kRows <= end; row += kRows)
        multiplyRows<Inputs, kRows, W, T>(job, row);
    for (; row < end; ++row)
        multiplyRows<Inputs, 1, W, T>(job, row);
}

void packInput(Element type, const void* input, std::int64_t in, float* packed) {
    withType(type, [&]<class T>(T*) { packInputRow(static_cast<const T*>(input), in, packed); });
}

template <class W, class T>
inline void multiplyInputs(const LinearJob& job, std::int64_t begin, std::int64_t end) {
    switch (job.rows) {
        case 1:
            return multiplyRange<1, W, T>(job, begin, end);
        case 2:
            return multiplyRange<2, W, T>(job, begin, end);
        case 3:
            return multiplyRange<3, W, T>(job, begin, end);
        default:
            return multiplyRange<4, W, T>(job, begin, end);
    }
}

void linear(const LinearJob& job, std::int64_t begin, std::int64_t end) {
    withType(job.type, [&]<class T>(T*) {
        return job.scales ? multiplyInputs<std::int8_t, T>(job, begin, end) : multiplyInputs<T, T>(job, begin, end);
    });
}

}  // namespace kvist::kernels::KVIST_ISA
