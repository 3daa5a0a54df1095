// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/protection.h"

#include <algorithm>

namespace kvist {

ParameterSpec Protection::sinksParameter(std::int64_t value) {
    return ParameterSpec::integer("sinks", "Sinks", value, 0, 4096, "entries",
                                  "First entries of the text, which are always kept.");
}

ParameterSpec Protection::recentParameter(std::int64_t value) {
    return ParameterSpec::integer("recent", "Recent", value, 0, 1 << 20, "entries",
                                  "Last entries, which are kept whatever their score; fewer where the budget is "
                                  "smaller.");
}

ParameterSpec Protection::recentShareParameter(double value) {
    return ParameterSpec::real("recent_share", "Recent share", value, 0, 1, "",
                               "Share of the budget for the last entries, which are kept whatever their score.");
}

ParameterSpec Protection::intervalParameter(std::int64_t value) {
    return ParameterSpec::integer("interval", "Interval", value, 1, 4096, "tokens",
                                  "Tokens between two evictions, which make room for as many at once, at most half "
                                  "the budget; 1: at every chunk.");
}

Protection Protection::from(const ParameterMap& parameters) {
    Protection protection;
    const auto readInteger = [&](const char* name, std::int64_t& value) {
        if (parameters.contains(name)) {
            value = integerOf(parameters, name);
        }
    };
    readInteger("sinks", protection.sinks);
    readInteger("recent", protection.recent);
    readInteger("interval", protection.interval);
    if (parameters.contains("recent_share")) {
        protection.recentShare = realOf(parameters, "recent_share");
    }
    return protection;
}

std::int64_t Protection::targetOf(const PlanContext& context) const {
    const std::int64_t room = std::min(interval, (context.target + context.coming) / 2);
    if (context.coming == 0 || room <= context.coming) {
        return context.target;
    }
    return std::max(std::min(sinks + 1, context.target), context.target + context.coming - room);
}

std::int64_t Protection::recentOf(std::int64_t target) const {
    const auto share = static_cast<std::int64_t>(recentShare * static_cast<double>(target));
    return std::clamp<std::int64_t>(std::max(recent, share), 0, std::max<std::int64_t>(0, target - sinks));
}

}  // namespace kvist
