// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/codecs/rotation_codec.h"

#include <c10/util/Half.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/api/engine_error.h"
#include "engine/cache/codecs/bit_packing.h"
#include "engine/cache/codecs/codebook.h"

namespace kvist {
namespace {

/// Three bits lie in a plane of two and a plane of one.
int lowBits(int bits) {
    return bits == 3 ? 2 : bits;
}

}  // namespace

RotationCodec::RotationCodec(at::Tensor rotation, int bits)
    : m_rotation(std::move(rotation)),
      m_headDim(m_rotation.size(0)),
      m_bits(bits),
      m_codebook(sphereCodebook(m_headDim, bits)) {
    std::copy(m_codebook.begin(), m_codebook.end(), m_table.begin());
}

std::int64_t RotationCodec::codeBytes() const {
    return packedBytes(m_headDim, lowBits(m_bits)) + (m_bits == 3 ? packedBytes(m_headDim, 1) : 0);
}

void RotationCodec::encode(const RowGroup& group, std::byte* out) const {
    double squares = 0.0;
    for (std::int64_t i = 0; i < m_headDim; ++i) {
        squares += static_cast<double>(group.rows[i]) * group.rows[i];
    }
    const c10::Half length(static_cast<float>(std::sqrt(squares)));
    if (!std::isfinite(squares) || !std::isfinite(static_cast<float>(length))) {
        throw EngineError(ErrorKind::Numerical, "a key or value of length " + std::to_string(std::sqrt(squares)) +
                                                    " cannot be coded with its length in float16");
    }
    std::memset(out, 0, static_cast<std::size_t>(groupBytes()));
    std::memcpy(out + codeBytes(), &length, sizeof(length));
    if (squares == 0.0) {
        return;
    }
    const auto scale = static_cast<float>(1.0 / std::sqrt(squares));
    const auto* rotation = m_rotation.const_data_ptr<float>();
    const int low = lowBits(m_bits);
    const std::int64_t lowBytes = packedBytes(m_headDim, low);
    for (std::int64_t i = 0; i < m_headDim; ++i) {
        float turned = 0.0F;
        for (std::int64_t j = 0; j < m_headDim; ++j) {
            turned += rotation[i * m_headDim + j] * group.rows[j];
        }
        const std::uint32_t code = nearestCode(m_codebook, turned * scale);
        packCode(out, lowBytes, low, i, code & ((1U << static_cast<unsigned>(low)) - 1U));
        if (m_bits == 3) {
            packCode(out + lowBytes, packedBytes(m_headDim, 1), 1, i, code >> 2U);
        }
    }
}

void RotationCodec::decodeTurned(const std::byte* in, std::int64_t count, float* rows) const {
    if (count == 0) {
        return;
    }
    c10::Half stored;
    std::memcpy(&stored, in + codeBytes(), sizeof(stored));
    const auto length = static_cast<float>(stored);
    const int low = lowBits(m_bits);
    if (m_bits != 3) {
        unpackCodes(in, low, m_headDim, [&](std::int64_t i, unsigned code) { rows[i] = m_codebook[code] * length; });
        return;
    }
    unpackCodes(in, low, m_headDim, [&](std::int64_t i, unsigned code) { rows[i] = static_cast<float>(code); });
    unpackCodes(in + packedBytes(m_headDim, low), 1, m_headDim, [&](std::int64_t i, unsigned high) {
        rows[i] = m_codebook[static_cast<unsigned>(rows[i]) + (high << 2U)] * length;
    });
}

void RotationCodec::decode(const std::byte* in, std::int64_t count, float* rows) const {
    std::vector<float> turned(static_cast<std::size_t>(m_headDim));
    decodeTurned(in, count, turned.data());
    const auto* rotation = m_rotation.const_data_ptr<float>();
    std::fill_n(rows, m_headDim, 0.0F);
    for (std::int64_t i = 0; i < m_headDim; ++i) {
        for (std::int64_t j = 0; j < m_headDim; ++j) {
            rows[j] += rotation[i * m_headDim + j] * turned[static_cast<std::size_t>(i)];
        }
    }
}

}  // namespace kvist
