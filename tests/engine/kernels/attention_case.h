// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/attention.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kvist::kernels::test {

struct AttentionShape {
    std::int64_t chunk = 1;
    std::vector<std::int64_t> held = {0};  // its length is the number of KV heads
    std::int64_t group = 1;
    std::int64_t headDim = 64;
};

std::string describe(const AttentionShape& shape);

/// Seeded random inputs. Keys and values are views of a larger cache: slots beyond those in use hold NaN, so
/// that reading them shows.
class AttentionCase {
public:
    AttentionCase(AttentionShape shape, at::ScalarType queryType, at::ScalarType storedType, double spread = 1.0);

    AttentionCall call(bool wantsMass = false) const;

    /// float64 results for the stored inputs, one query and group at a time.
    AttentionResult expected() const;

    at::Tensor queries;
    at::Tensor keys;
    at::Tensor values;

private:
    AttentionShape m_shape;
};

/// Largest deviation over largest expected value.
double deviation(const at::Tensor& actual, const at::Tensor& expected);

}  // namespace kvist::kernels::test
