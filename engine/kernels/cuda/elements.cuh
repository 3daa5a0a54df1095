// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace kvist::kernels::cuda {

/// 16 bytes of T as float32.
template <class T>
struct Vector {
    static constexpr int kElements = 16 / sizeof(T);
    float values[kElements];
};

__device__ inline float toFloat(float x) {
    return x;
}
__device__ inline float toFloat(__nv_bfloat16 x) {
    return __bfloat162float(x);
}
__device__ inline float toFloat(__half x) {
    return __half2float(x);
}

__device__ inline void fromFloat(float x, float* to) {
    *to = x;
}
__device__ inline void fromFloat(float x, __nv_bfloat16* to) {
    *to = __float2bfloat16_rn(x);
}
__device__ inline void fromFloat(float x, __half* to) {
    *to = __float2half_rn(x);
}

template <class T>
__device__ inline Vector<T> loadVector(const T* from) {
    const uint4 raw = __ldg(reinterpret_cast<const uint4*>(from));
    const T* elements = reinterpret_cast<const T*>(&raw);
    Vector<T> vector;
#pragma unroll
    for (int i = 0; i < Vector<T>::kElements; ++i)
        vector.values[i] = toFloat(elements[i]);
    return vector;
}

}  // namespace kvist::kernels::cuda
