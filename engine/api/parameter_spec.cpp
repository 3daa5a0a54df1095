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

ParameterMap completed(const std::vector<ParameterSpec>& specs, const ParameterMap& given, const std::string& owner) {
    std::vector<std::string> names;
    ParameterMap result;
    for (const ParameterSpec& spec : specs) {
        names.push_back(spec.name);
        const auto found = given.find(spec.name);
        result[spec.name] = found == given.end() ? spec.defaultValue : checkedValue(spec, found->second);
    }
    for (const auto& [name, value] : given) {
        if (!result.contains(name)) {
            const std::string near = nearestName(name, names);
            throw EngineError(ErrorKind::InvalidInput, owner + " has no parameter " + name +
                                                           (!near.empty()   ? "; did you mean " + near + "?"
                                                            : names.empty() ? "; it has none"
                                                                            : ""));
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
