// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/stores/store_parameters.h"

#include <locale>
#include <sstream>

namespace kvist {

ParameterSpec ExemptLayers::firstParameter(std::int64_t value) {
    return ParameterSpec::integer("exempt_first", "First layers exempt", value, 0, 1024, "layers",
                                  "First layers that keep full precision.");
}

ParameterSpec ExemptLayers::lastParameter(std::int64_t value) {
    return ParameterSpec::integer("exempt_last", "Last layers exempt", value, 0, 1024, "layers",
                                  "Last layers that keep full precision.");
}

ExemptLayers ExemptLayers::from(const ParameterMap& parameters) {
    return {integerOf(parameters, "exempt_first"), integerOf(parameters, "exempt_last")};
}

ParameterSpec residualParameter(std::int64_t value, std::string help) {
    return ParameterSpec::integer("residual", "Residual", value, 0, 1 << 20, "entries", std::move(help));
}

ParameterSpec bitsParameter(std::string name, std::string title, std::string value, std::vector<std::string> choices,
                            std::string help) {
    return ParameterSpec::choice(std::move(name), std::move(title), std::move(value), std::move(choices),
                                 std::move(help));
}

double bitsOf(const ParameterMap& parameters, const std::string& name) {
    std::istringstream text(choiceOf(parameters, name));
    text.imbue(std::locale::classic());
    double bits = 0;
    text >> bits;
    return bits;
}

}  // namespace kvist
