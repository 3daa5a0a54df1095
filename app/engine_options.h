// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/api/engine.h"

namespace kvist::app {

/// Files that the engine makes go to the user's cache folder of this program; policies are calibrated with a book
/// of the resources that no preset measures. Needs a QCoreApplication.
EngineOptions engineOptions(const std::string& resources);

}  // namespace kvist::app
