// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

namespace kvist {

/// What a policy must know about a model before its first session.
enum class CalibrationKind {
    /// Of the queries before rotation, by layer, query head and band f, which is the complex number of components
    /// f and f + head_dim / 2: [layers, query_heads, 3, head_dim / 2] with the real and the imaginary part of the
    /// mean, and the mean absolute value.
    QueryStatistics,
    /// The share of a query's attention that goes neither to the first `sinks` nor to the last `recent` entries,
    /// averaged over queries and the group's heads: [layers, kv_heads].
    DistantAttention,
};

struct CalibrationRequest {
    CalibrationKind kind = CalibrationKind::QueryStatistics;
    std::int64_t sinks = 0;   ///< DistantAttention
    std::int64_t recent = 0;  ///< DistantAttention

    bool operator==(const CalibrationRequest&) const = default;
};

/// The outcome, which depends on the model, its type and the text alone.
struct Calibration {
    at::Tensor values;   ///< as CalibrationKind says, float32 on the CPU
    std::string digest;  ///< hash of the values
};

}  // namespace kvist
