// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <bit>
#include <cstring>
#include <vector>

namespace kvist::experiments {

static_assert(std::endian::native == std::endian::little, "stores hold little-endian numbers");

/// The numbers as stored, NaN included bit for bit. Without numbers it is empty but not null (SQLite's NULL).
template <typename Number>
QByteArray blobOf(const std::vector<Number>& values) {
    return values.empty() ? QByteArray("", 0)
                          : QByteArray(reinterpret_cast<const char*>(values.data()),
                                       static_cast<qsizetype>(values.size() * sizeof(Number)));
}

template <typename Number>
std::vector<Number> numbersOf(const QByteArray& blob) {
    std::vector<Number> values(static_cast<std::size_t>(blob.size()) / sizeof(Number));
    if (!values.empty()) {
        std::memcpy(values.data(), blob.constData(), values.size() * sizeof(Number));
    }
    return values;
}

}  // namespace kvist::experiments
