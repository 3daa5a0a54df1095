// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace kvist {

enum class ParameterType { Integer, Real, Boolean, Choice };

/// One value of a parameter; the alternative held follows the parameter's type (Choice holds a string).
using ParameterValue = std::variant<std::int64_t, double, bool, std::string>;

/// Parameters of a policy or an evaluation by name. Names missing here take the default.
using ParameterMap = std::map<std::string, ParameterValue>;

/// The one declaration of a parameter. It feeds the form, the check, the command line and the table column.
struct ParameterSpec {
    std::string name;   ///< identifier in files and on the command line ("sinks")
    std::string title;  ///< label in the window ("Sinks")
    std::string help;   ///< one sentence
    std::string unit;   ///< "entries", "tokens", … or empty
    ParameterType type = ParameterType::Integer;
    ParameterValue defaultValue = std::int64_t{0};
    double minimum = 0;                ///< Integer and Real, inclusive
    double maximum = 0;                ///< Integer and Real, inclusive
    std::vector<std::string> choices;  ///< Choice
    bool isOptional = false;           ///< left out of completed maps at its default, as in runs from before it was
    std::string base = {};             ///< applies only where parameter "base" has this value; empty: always

    static ParameterSpec integer(std::string name, std::string title, std::int64_t value, std::int64_t minimum,
                                 std::int64_t maximum, std::string unit, std::string help);
    static ParameterSpec real(std::string name, std::string title, double value, double minimum, double maximum,
                              std::string unit, std::string help);
    static ParameterSpec boolean(std::string name, std::string title, bool value, std::string help);
    static ParameterSpec choice(std::string name, std::string title, std::string value,
                                std::vector<std::string> choices, std::string help);

    /// The same, but optional.
    ParameterSpec asOptional() const;
};

/// Whether a parameter applies beside the given values: it belongs to no base, or to the one that is chosen or the
/// default.
bool applies(const ParameterSpec& spec, const std::vector<ParameterSpec>& specs, const ParameterMap& given);

/// The spec of a name that applies beside the given values; null where there is none.
const ParameterSpec* specOf(const std::vector<ParameterSpec>& specs, const std::string& name,
                            const ParameterMap& given);

/// Text of a value in the C locale, as in files and on the command line.
std::string toText(const ParameterValue& value);

/// Reads a value of the spec's type. Throws EngineError(InvalidInput) that names the parameter, what was
/// given and what would be right.
ParameterValue parseValue(const ParameterSpec& spec, const std::string& text);

/// Checks type and range; an integer is accepted for a Real. Throws as parseValue.
ParameterValue checkedValue(const ParameterSpec& spec, const ParameterValue& value);

/// The given values checked against the specs that apply, with defaults filled in except for optional parameters,
/// which are left out at their default. Unknown names throw and name the nearest known one; `owner` ("policy
/// window") stands in the message.
ParameterMap completed(const std::vector<ParameterSpec>& specs, const ParameterMap& given, const std::string& owner);

/// A completed map with the optional parameters filled in.
ParameterMap withOptional(const std::vector<ParameterSpec>& specs, const ParameterMap& completed);

/// Typed access to a completed map; a missing name is a programming error (throws EngineError(Internal)).
std::int64_t integerOf(const ParameterMap& values, const std::string& name);
double realOf(const ParameterMap& values, const std::string& name);
bool booleanOf(const ParameterMap& values, const std::string& name);
const std::string& choiceOf(const ParameterMap& values, const std::string& name);

}  // namespace kvist
