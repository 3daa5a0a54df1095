// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/parameter_spec.h"

namespace kvist {

/// The switch of the rules that compare keys with each other: see LayerView::centredKeys().
ParameterSpec centerKeysParameter();

}  // namespace kvist
