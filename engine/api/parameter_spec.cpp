// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/parameter_spec.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "engine/api/engine_error.h"
#include "engine/api/nearest_name.h"

namespace kvist {
namespace {

std::string numberText(double value) {
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {buffer, end};
}

std::string expected(const ParameterSpec& spec) {
    switch (spec.type) {
        case ParameterType::Integer:
            return "a whole number from " + numberText(spec.minimum) + " to " + numberText(spec.maximum);
        case ParameterType::Real:
            return "a number from " + numberText(spec.minimum) + " to " + numberText(spec.maximum);
        case ParameterType::Boolean:
            return "true or false";
        case ParameterType::Choice: {
            std::string list;
            for (const std::string& choice : spec.choices) {
                list += (list.empty() ? "" : ", ") + choice;
            }
            return "one of " + list;
        }
    }
    return {};
}

[[noreturn]] void refuse(const ParameterSpec& spec, const std::string& given) {
    throw EngineError(ErrorKind::InvalidInput, spec.name + " = " + given + ": expected " + expected(spec));
}

const std::string kBase = "base";

template <typename T>
bool parseNumber(const std::string& text, T& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

template <typename T>
const T& typedValue(const ParameterMap& values, const std::string& name) {
    const auto found = values.find(name);
    if (found == values.end() || !std::holds_alternative<T>(found->second)) {
        throw EngineError(ErrorKind::Internal, "parameter " + name + " is missing or of another type");
    }
    return std::get<T>(found->second);
}

}  // namespace

ParameterSpec ParameterSpec::integer(std::string name, std::string title, std::int64_t value, std::int64_t minimum,
                                     std::int64_t maximum, std::string unit, std::string help) {
    return {std::move(name),
            std::move(title),
            std::move(help),
            std::move(unit),
            ParameterType::Integer,
            value,
            static_cast<double>(minimum),
            static_cast<double>(maximum),
            {}};
}

ParameterSpec ParameterSpec::real(std::string name, std::string title, double value, double minimum, double maximum,
                                  std::string unit, std::string help) {
    return {std::move(name),
            std::move(title),
            std::move(help),
            std::move(unit),
            ParameterType::Real,
            value,
            minimum,
            maximum,
            {}};
}

ParameterSpec ParameterSpec::boolean(std::string name, std::string title, bool value, std::string help) {
    return {std::move(name), std::move(title), std::move(help), {}, ParameterType::Boolean, value, 0, 1, {}};
}

ParameterSpec ParameterSpec::choice(std::string name, std::string title, std::string value,
                                    std::vector<std::string> choices, std::string help) {
    return {std::move(name),   std::move(title), std::move(help), {}, ParameterType::Choice, std::move(value), 0, 0,
            std::move(choices)};
}

std::string toText(const ParameterValue& value) {
    struct Visitor {
        std::string operator()(std::int64_t v) const { return std::to_string(v); }
        std::string operator()(double v) const { return numberText(v); }
        std::string operator()(bool v) const { return v ? "true" : "false"; }
        std::string operator()(const std::string& v) const { return v; }
    };
    return std::visit(Visitor{}, value);
}

ParameterValue parseValue(const ParameterSpec& spec, const std::string& text) {
    switch (spec.type) {
        case ParameterType::Integer: {
            std::int64_t value = 0;
            if (!parseNumber(text, value)) {
                refuse(spec, text);
            }
            return checkedValue(spec, value);
        }
        case ParameterType::Real: {
            double value = 0;
            if (!parseNumber(text, value)) {
                refuse(spec, text);
            }
            return checkedValue(spec, value);
        }
        case ParameterType::Boolean:
            if (text == "true" || text == "1") {
                return true;
            }
            if (text == "false" || text == "0") {
                return false;
            }
            refuse(spec, text);
        case ParameterType::Choice:
            return checkedValue(spec, text);
    }
    refuse(spec, text);
}

ParameterValue checkedValue(const ParameterSpec& spec, const ParameterValue& value) {
    ParameterValue result = value;
    if (spec.type == ParameterType::Real && std::holds_alternative<std::int64_t>(value)) {
        result = static_cast<double>(std::get<std::int64_t>(value));
    }
    if (result.index() != spec.defaultValue.index()) {
        refuse(spec, toText(value));
    }
    bool isRight = true;
    if (const auto* integer = std::get_if<std::int64_t>(&result)) {
        isRight = static_cast<double>(*integer) >= spec.minimum && static_cast<double>(*integer) <= spec.maximum;
    } else if (const auto* real = std::get_if<double>(&result)) {
        isRight = *real >= spec.minimum && *real <= spec.maximum;  // false for NaN
    } else if (const auto* choice = std::get_if<std::string>(&result)) {
        isRight = std::find(spec.choices.begin(), spec.choices.end(), *choice) != spec.choices.end();
    }
    if (!isRight) {
        refuse(spec, toText(value));
    }
    return result;
}

ParameterSpec ParameterSpec::asOptional() const {
    ParameterSpec spec = *this;
    spec.isOptional = true;
    return spec;
}

bool applies(const ParameterSpec& spec, const std::vector<ParameterSpec>& specs, const ParameterMap& given) {
    if (spec.base.empty()) {
        return true;
    }
    if (const auto chosen = given.find(kBase); chosen != given.end()) {
        return chosen->second == ParameterValue(spec.base);
    }
    return std::any_of(specs.begin(), specs.end(), [&](const ParameterSpec& one) {
        return one.name == kBase && one.defaultValue == ParameterValue(spec.base);
    });
}

const ParameterSpec* specOf(const std::vector<ParameterSpec>& specs, const std::string& name,
                            const ParameterMap& given) {
    const auto found = std::find_if(specs.begin(), specs.end(), [&](const ParameterSpec& spec) {
        return spec.name == name && applies(spec, specs, given);
    });
    return found == specs.end() ? nullptr : &*found;
}

ParameterMap completed(const std::vector<ParameterSpec>& specs, const ParameterMap& given, const std::string& owner) {
    std::vector<std::string> names;
    ParameterMap result;
    for (const ParameterSpec& spec : specs) {
        if (!applies(spec, specs, given)) {
            continue;
        }
        names.push_back(spec.name);
        const auto found = given.find(spec.name);
        const ParameterValue value = found == given.end() ? spec.defaultValue : checkedValue(spec, found->second);
        if (!spec.isOptional || value != spec.defaultValue) {
            result[spec.name] = value;
        }
    }
    for (const auto& [name, value] : given) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            const std::string near = nearestName(name, names);
            throw EngineError(ErrorKind::InvalidInput, owner + " has no parameter " + name +
                                                           (!near.empty()   ? "; did you mean " + near + "?"
                                                            : names.empty() ? "; it has none"
                                                                            : ""));
        }
    }
    return result;
}

ParameterMap withOptional(const std::vector<ParameterSpec>& specs, const ParameterMap& completed) {
    ParameterMap result = completed;
    for (const ParameterSpec& spec : specs) {
        if (spec.isOptional && applies(spec, specs, completed)) {
            result.emplace(spec.name, spec.defaultValue);
        }
    }
    return result;
}

std::int64_t integerOf(const ParameterMap& values, const std::string& name) {
    return typedValue<std::int64_t>(values, name);
}

double realOf(const ParameterMap& values, const std::string& name) {
    return typedValue<double>(values, name);
}

bool booleanOf(const ParameterMap& values, const std::string& name) {
    return typedValue<bool>(values, name);
}

const std::string& choiceOf(const ParameterMap& values, const std::string& name) {
    return typedValue<std::string>(values, name);
}

}  // namespace kvist
