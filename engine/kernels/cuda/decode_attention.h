// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The interface of the CUDA module: plain C, so that neither side needs the other's headers.

#include <cstdint>

enum KvistElement { kKvistFloat32 = 0, kKvistBFloat16 = 1, kKvistFloat16 = 2 };

/// Attention of one token over the entries held. Pointers are device memory except `lengths`.
struct KvistDecodeAttention {
    int queryType;   ///< KvistElement of queries and context
    int storedType;  ///< KvistElement of keys and values
    int kvHeads;     ///< at most 64
    int group;       ///< query heads per KV head
    int headDim;     ///< a multiple of 16 bytes of the stored type, at most 32 such vectors
    float scale;
    const std::int64_t* lengths;  ///< host memory: entries that the query sees, per KV head, at least 1

    const void* queries;         ///< [kvHeads · group, headDim]
    std::int64_t queryStride;    ///< elements between heads
    const void* keys;            ///< [kvHeads, capacity, headDim], 16-byte aligned like its strides
    std::int64_t keyHeadStride;  ///< elements
    std::int64_t keySlotStride;
    const void* values;
    std::int64_t valueHeadStride;
    std::int64_t valueSlotStride;

    void* context;  ///< [kvHeads · group, headDim] without gaps
    float* mass;    ///< [kvHeads, massStride] or null; written below each head's length, else untouched
    float* scores;  ///< [massStride] or null; the mean probability over all query heads is added; equal lengths
    std::int64_t massStride;  ///< at least the longest length where mass or scores are wanted, else 0
    float* workspace;         ///< kvistDecodeWorkspace() floats
    void* stream;             ///< cudaStream_t
};

extern "C" {

/// Floats of workspace that the call needs (its pointers other than `lengths` are not read).
std::int64_t kvistDecodeWorkspace(const KvistDecodeAttention* call);

/// Enqueues the kernels. Returns null, or what failed.
const char* kvistDecodeAttention(const KvistDecodeAttention* call);
}
