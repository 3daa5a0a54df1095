// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/parameter_spec.h"
#include "engine/cache/cache_shape.h"

namespace kvist {

/// The group of the catalog that stores stand in.
inline constexpr const char* kStoreGroup = "Stored values";

/// Layers that keep full precision, a parameter that stores share. Qwen2.5's key bias makes the first and last
/// layers fragile.
struct ExemptLayers {
    std::int64_t first = 0;
    std::int64_t last = 0;

    static ParameterSpec firstParameter(std::int64_t value = 0);
    static ParameterSpec lastParameter(std::int64_t value = 0);
    static ExemptLayers from(const ParameterMap& parameters);

    bool contains(std::int64_t layer, const CacheShape& shape) const {
        return layer < first || layer >= shape.layers - last;
    }
};

/// Newest entries in full precision.
ParameterSpec residualParameter(std::int64_t value, std::string help);

/// Bits as a choice; "16" is full precision.
ParameterSpec bitsParameter(std::string name, std::string title, std::string value, std::vector<std::string> choices,
                            std::string help);
/// A choice of bits as a number.
double bitsOf(const ParameterMap& parameters, const std::string& name);

}  // namespace kvist
