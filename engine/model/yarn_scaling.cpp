// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/yarn_scaling.h"

#include <cmath>

namespace kvist {

double YarnScaling::scale() const {
    if (attentionFactor) {
        return *attentionFactor;
    }
    return factor <= 1 ? 1.0 : 0.1 * std::log(factor) + 1.0;
}

}  // namespace kvist
