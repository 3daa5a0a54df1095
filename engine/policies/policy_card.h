// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/pruning_policy.h"

namespace kvist {

/// Fills in what a policy of the catalog needs to see, what it saves and what it keeps for that, as far as its entry
/// leaves it empty: from what the policy with its default parameters declares.
void fillCard(PolicyInfo& info, const PruningPolicy& policy);

}  // namespace kvist
