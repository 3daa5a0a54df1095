// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/stores/random_rotation.h"

#include <ATen/ops/empty.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "engine/policies/keyed_random.h"

namespace kvist {
namespace {

/// A normally distributed number (Box and Muller 1958). Streams are independent.
double normal(std::uint64_t seed, std::uint64_t layer, std::uint64_t index, std::uint64_t stream = 0) {
    const double radius = 1.0 - static_cast<double>(keyedRandom({seed, layer, index, 2 * stream}));
    const double angle = static_cast<double>(keyedRandom({seed, layer, index, 2 * stream + 1}));
    return std::sqrt(-2.0 * std::log(radius)) * std::cos(2.0 * M_PI * angle);
}

}  // namespace

at::Tensor randomRotation(std::int64_t dimensions, std::uint64_t seed, std::int64_t layer) {
    // Normally distributed rows, made orthogonal one after the other (twice, against rounding).
    const auto width = static_cast<std::size_t>(dimensions);
    std::vector<std::vector<double>> rows(width, std::vector<double>(width));
    for (std::size_t i = 0; i < width; ++i) {
        std::vector<double>& row = rows[i];
        for (std::size_t j = 0; j < width; ++j) {
            row[j] = normal(seed, static_cast<std::uint64_t>(layer), i * width + j);
        }
        for (int pass = 0; pass < 2; ++pass) {
            for (std::size_t before = 0; before < i; ++before) {
                const double along = std::inner_product(row.begin(), row.end(), rows[before].begin(), 0.0);
                for (std::size_t j = 0; j < width; ++j) {
                    row[j] -= along * rows[before][j];
                }
            }
        }
        const double length = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
        for (double& x : row) {
            x /= length;
        }
    }
    at::Tensor rotation = at::empty({dimensions, dimensions}, at::kFloat);
    auto* next = rotation.mutable_data_ptr<float>();
    for (const std::vector<double>& row : rows) {
        for (const double x : row) {
            *next++ = static_cast<float>(x);
        }
    }
    return rotation;
}

at::Tensor randomNormal(std::int64_t dimensions, std::uint64_t seed, std::int64_t layer) {
    at::Tensor numbers = at::empty({dimensions, dimensions}, at::kFloat);
    auto* next = numbers.mutable_data_ptr<float>();
    for (std::int64_t i = 0; i < numbers.numel(); ++i) {
        *next++ = static_cast<float>(normal(seed, static_cast<std::uint64_t>(layer), static_cast<std::uint64_t>(i), 1));
    }
    return numbers;
}

}  // namespace kvist
