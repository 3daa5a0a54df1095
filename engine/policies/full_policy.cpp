// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/full_policy.h"

namespace kvist {

PolicyInfo FullPolicy::info() {
    return {.id = "full",
            .title = "Full cache",
            .group = "Baseline",
            .summary = "Keeps every entry; what all differences refer to.",
            .paper = {},
            .usesBudget = false,
            .isReconstruction = false,
            .parameters = {}};
}

}  // namespace kvist
