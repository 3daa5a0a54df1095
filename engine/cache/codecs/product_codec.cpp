// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/codecs/product_codec.h"

#include <ATen/ops/cat.h>
#include <c10/util/Half.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <vector>

#include "engine/cache/codecs/bit_packing.h"

namespace kvist {

ProductCodec::ProductCodec(std::shared_ptr<const RotationCodec> coarse, at::Tensor projection)
    : m_coarse(std::move(coarse)), m_projection(std::move(projection)) {
    const double scale = std::sqrt(M_PI / 2) / static_cast<double>(m_coarse->headDim());
    m_basis = at::cat({m_coarse->basis(), m_projection * scale});
}

std::int64_t ProductCodec::signBytes() const {
    return packedBytes(m_coarse->headDim(), 1);
}

void ProductCodec::encode(const RowGroup& group, std::byte* out) const {
    const std::int64_t size = m_coarse->headDim();
    std::memset(out, 0, static_cast<std::size_t>(groupBytes()));
    m_coarse->encode(group, out);
    std::vector<float> left(static_cast<std::size_t>(size));
    m_coarse->decode(out, 1, left.data());
    std::transform(group.rows, group.rows + size, left.begin(), left.begin(), std::minus<>());
    std::byte* signs = out + m_coarse->groupBytes();
    const auto* projection = m_projection.const_data_ptr<float>();
    for (std::int64_t i = 0; i < size; ++i) {
        const float along = std::inner_product(left.begin(), left.end(), projection + i * size, 0.0F);
        packCode(signs, signBytes(), 1, i, along < 0 ? 0 : 1);
    }
    // What is left is no longer than the row, whose length float16 can hold.
    const c10::Half length(std::sqrt(std::inner_product(left.begin(), left.end(), left.begin(), 0.0F)));
    std::memcpy(signs + signBytes(), &length, sizeof(length));
}

void ProductCodec::decodeTurned(const std::byte* in, std::int64_t count, float* rows) const {
    if (count == 0) {
        return;
    }
    const std::int64_t size = m_coarse->headDim();
    m_coarse->decodeTurned(in, 1, rows);
    const std::byte* signs = in + m_coarse->groupBytes();
    c10::Half stored;
    std::memcpy(&stored, signs + signBytes(), sizeof(stored));
    const auto length = static_cast<float>(stored);
    unpackCodes(signs, 1, size, [&](std::int64_t i, unsigned sign) { rows[size + i] = sign == 1 ? length : -length; });
}

void ProductCodec::decode(const std::byte* in, std::int64_t count, float* rows) const {
    const std::int64_t size = m_coarse->headDim();
    std::vector<float> turned(static_cast<std::size_t>(turnedWidth()));
    decodeTurned(in, count, turned.data());
    const auto* basis = m_basis.const_data_ptr<float>();
    std::fill_n(rows, count * size, 0.0F);
    for (std::int64_t i = 0; i < turnedWidth() && count > 0; ++i) {
        for (std::int64_t j = 0; j < size; ++j) {
            rows[j] += basis[i * size + j] * turned[static_cast<std::size_t>(i)];
        }
    }
}

}  // namespace kvist
