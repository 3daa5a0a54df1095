// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/cache/codecs/rotation_codec.h"

namespace kvist {

/// TurboQuant's form for products without bias (Zandieh et al. 2025, arXiv 2504.19874, algorithm 2): a row is coded
/// with one bit less, and of what that leaves, r, the length and the signs of S r are kept, S being random numbers of
/// the normal distribution. The product with a query q is then q · coarse + |r| · sqrt(pi / 2) / head_dim · (S q) ·
/// sign(S r), whose mean over S is the product with the row itself. A decoded row is good for such products alone: it
/// strays further from the row than one of RotationCodec with as many bits.
class ProductCodec : public EntryCodec {
public:
    /// `projection` [head_dim, head_dim], S, float32, contiguous.
    ProductCodec(std::shared_ptr<const RotationCodec> coarse, at::Tensor projection);

    std::int64_t groupRows() const override { return 1; }
    std::int64_t codeBytes() const override { return m_coarse->codeBytes() + signBytes(); }
    std::int64_t scaleBytes() const override { return m_coarse->scaleBytes() + 2; }
    void encode(const RowGroup& group, std::byte* out) const override;
    void decode(const std::byte* in, std::int64_t count, float* rows) const override;

    /// Rotation and projection, one above the other: a turned row is the coarse one and then signs times |r|.
    at::Tensor basis() const override { return m_basis; }
    std::int64_t turnedWidth() const override { return 2 * m_coarse->headDim(); }
    void decodeTurned(const std::byte* in, std::int64_t count, float* rows) const override;

private:
    std::int64_t signBytes() const;

    std::shared_ptr<const RotationCodec> m_coarse;
    at::Tensor m_projection;
    at::Tensor m_basis;  // [2 head_dim, head_dim]
};

}  // namespace kvist
