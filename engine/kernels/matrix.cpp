// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/matrix.h"

#include <ATen/ops/abs.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/round.h>
#include <ATen/ops/where.h>

#include <algorithm>

namespace kvist::kernels {
namespace {

constexpr double kLargest = 127.0;
/// Rows that are converted at a time, so that little more memory is taken than the result.
constexpr std::int64_t kRows = 1024;

}  // namespace

Matrix eightBit(const at::Tensor& weight) {
    const std::int64_t out = weight.size(0);
    Matrix matrix{at::empty(weight.sizes(), weight.options().dtype(at::kChar)),
                  at::empty({out}, weight.options().dtype(at::kFloat))};
    for (std::int64_t first = 0; first < out; first += kRows) {
        const std::int64_t count = std::min(kRows, out - first);
        const at::Tensor rows = weight.narrow(0, first, count).to(at::kFloat);
        const at::Tensor largest = at::amax(at::abs(rows), {1});
        const at::Tensor scales = at::where(largest == 0, at::ones_like(largest), largest / kLargest);
        matrix.scales.narrow(0, first, count).copy_(scales);
        matrix.values.narrow(0, first, count).copy_(at::round(rows / scales.unsqueeze(1)));
    }
    return matrix;
}

at::Tensor dense(const Matrix& matrix, at::ScalarType type) {
    if (!matrix.isEightBit()) {
        return matrix.values.to(type);
    }
    const std::int64_t out = matrix.values.size(0);
    at::Tensor result = at::empty(matrix.values.sizes(), matrix.scales.options().dtype(type));
    for (std::int64_t first = 0; first < out; first += kRows) {
        const std::int64_t count = std::min(kRows, out - first);
        result.narrow(0, first, count)
            .copy_(matrix.values.narrow(0, first, count).to(at::kFloat) *
                   matrix.scales.narrow(0, first, count).unsqueeze(1));
    }
    return result;
}

}  // namespace kvist::kernels
