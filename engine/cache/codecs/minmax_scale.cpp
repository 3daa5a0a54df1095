// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/codecs/minmax_scale.h"

#include <algorithm>
#include <cmath>

#include "engine/api/engine_error.h"

namespace kvist {

MinMaxScale MinMaxScale::of(const float* values, std::int64_t count, std::int64_t stride, unsigned highest) {
    float least = values[0];
    float most = values[0];
    bool isFinite = true;
    for (std::int64_t i = 0; i < count; ++i) {
        const float value = values[i * stride];
        isFinite = isFinite && std::isfinite(value);
        least = std::min(least, value);
        most = std::max(most, value);
    }
    const MinMaxScale result{c10::Half((most - least) / static_cast<float>(highest)), c10::Half(least)};
    if (!isFinite || !std::isfinite(static_cast<float>(result.scale)) ||
        !std::isfinite(static_cast<float>(result.minimum))) {
        throw EngineError(ErrorKind::Numerical, "keys or values from " + std::to_string(least) + " to " +
                                                    std::to_string(most) + (isFinite ? "" : " and NaN or infinity") +
                                                    " cannot be coded with scales in float16");
    }
    return result;
}

unsigned MinMaxScale::code(float value, unsigned highest) const {
    const auto step = static_cast<float>(scale);
    if (step == 0.0F) {
        return 0;
    }
    const float code = std::nearbyint((value - static_cast<float>(minimum)) / step);
    return static_cast<unsigned>(std::clamp(code, 0.0F, static_cast<float>(highest)));
}

}  // namespace kvist
