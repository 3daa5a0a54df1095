// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

#include "engine/api/run_config.h"

namespace kvist::ui {

/// A policy's title in the catalog, or its id where it is not known any more.
QString policyTitle(const std::string& id);

/// "KIVI 4/4 bit": how the entries of a run's cache are held; empty in full precision.
QString storeText(const RunConfig& config);

/// "SnapKV"; "KIVI 4/4 bit" for a policy that is a store itself.
QString policyText(const RunConfig& config);

/// "SnapKV, KIVI 4/4 bit"
QString methodText(const RunConfig& config);

/// The policy whose colour and place in the catalog a run has: a full cache in a store goes by the store.
const std::string& leadingPolicy(const RunConfig& config);

}  // namespace kvist::ui
