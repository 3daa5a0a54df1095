// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/api/run_config.h"

namespace kvist::experiments {

/// Values of one parameter as the user wrote them: "4", "0, 4", "128-2048*2", "0.1-0.9+0.2". ValueRange
/// expands it; more than one value makes it an axis.
using AxisText = std::string;

/// What a sweep takes at most, in the form as in files.
inline constexpr std::int64_t kMostTokens = std::int64_t{1} << 30;
inline constexpr int kMostRepeats = 1000;

/// Parameters by name; those missing take their default.
using AxisMap = std::map<std::string, AxisText>;

struct SweepContext {
    AxisText warm = "1024";  ///< tokens not scored
    AxisText score = "512";  ///< tokens scored

    bool operator==(const SweepContext&) const = default;
};

struct SweepPolicy {
    std::string id;
    AxisMap parameters;
    std::string store = {};  ///< how its entries are held (RunConfig::store); empty: in full precision
    AxisMap storeParameters = {};

    bool operator==(const SweepPolicy&) const = default;
};

struct SweepEvaluation {
    std::string id;
    AxisText depths;  ///< for evaluations with depths, otherwise empty
    AxisMap parameters;

    bool operator==(const SweepEvaluation&) const = default;
};

/// What the user asks for: axes and fixed values, exactly as in the form and in the sweep file. A plain
/// value; nothing here is resolved or checked (SweepPlan does that).
struct Sweep {
    std::string name;
    std::vector<std::string> models;  ///< folders as written; several make an axis; none: to be chosen
    std::string device = "auto";
    std::string dtype = "auto";
    int threads = 0;  ///< 0: one per core
    TextChoice text;  ///< file as written
    std::int64_t chunk = 32;
    std::vector<SweepContext> contexts;
    AxisText budgets;  ///< "64-512*2, 25%, 1MiB"
    std::vector<SweepPolicy> policies;
    std::vector<SweepEvaluation> evaluations;
    int repeats = 1;
    std::uint64_t seed = 0;

    std::string folder;  ///< of the sweep file, where relative paths are looked up first; not written

    bool operator==(const Sweep&) const = default;
};

}  // namespace kvist::experiments
