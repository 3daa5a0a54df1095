// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/scorers/center_keys.h"

namespace kvist {

ParameterSpec centerKeysParameter() {
    return ParameterSpec::boolean("center_keys", "Centre keys", true,
                                  "Compare keys after taking off their mean before rotation: Qwen2.5's key bias makes "
                                  "all keys look alike. Off: as in the paper.");
}

}  // namespace kvist
