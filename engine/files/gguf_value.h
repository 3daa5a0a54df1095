// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace kvist {

/// Kinds of metadata values, by their numbers in the file.
enum class GgufKind : std::uint32_t {
    UInt8 = 0,
    Int8 = 1,
    UInt16 = 2,
    Int16 = 3,
    UInt32 = 4,
    Int32 = 5,
    Float32 = 6,
    Bool = 7,
    String = 8,
    Array = 9,
    UInt64 = 10,
    Int64 = 11,
    Float64 = 12,
};

/// A list of metadata: texts, or numbers of one kind.
struct GgufArray {
    GgufKind kind = GgufKind::UInt8;
    std::vector<std::string_view> texts;                                   ///< of kind String
    std::variant<std::vector<std::int64_t>, std::vector<double>> numbers;  ///< of the others
};

/// A metadata value. Whole numbers are int64; those beyond it are refused by the reader. Texts point into the file.
using GgufValue = std::variant<std::int64_t, double, bool, std::string_view, GgufArray>;

}  // namespace kvist
