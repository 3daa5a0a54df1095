// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <vector>

#include "engine/cache/entry_codec.h"

namespace kvist {

/// TurboQuant's form for small mean square error (Zandieh et al. 2025, arXiv 2504.19874, algorithm 1): a row is
/// turned by a random orthogonal matrix, so that each coordinate of its direction is distributed alike whatever the
/// data, and each coordinate becomes the nearest number of one codebook. A group is one row: its codes, and its
/// length in float16.
class RotationCodec : public EntryCodec {
public:
    /// `rotation` [head_dim, head_dim], orthogonal, float32, contiguous; `bits` 1 to 4, with a codebook of the row's
    /// dimensions.
    RotationCodec(at::Tensor rotation, int bits);

    std::int64_t headDim() const { return m_headDim; }
    int bits() const { return m_bits; }
    /// 2^bits numbers, ascending, and zeros up to 16.
    const std::array<float, 16>& table() const { return m_table; }

    std::int64_t groupRows() const override { return 1; }
    std::int64_t codeBytes() const override;
    std::int64_t scaleBytes() const override { return 2; }
    void encode(const RowGroup& group, std::byte* out) const override;
    void decode(const std::byte* in, std::int64_t count, float* rows) const override;
    at::Tensor basis() const override { return m_rotation; }
    void decodeTurned(const std::byte* in, std::int64_t count, float* rows) const override;

private:
    at::Tensor m_rotation;
    std::int64_t m_headDim;
    int m_bits;
    const std::vector<float>& m_codebook;
    std::array<float, 16> m_table = {};
};

}  // namespace kvist
