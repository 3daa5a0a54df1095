// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/sweep.h"

namespace kvist::experiments {

/// Typed reading of one object of a sweep file. Every member throws RefusedInput that names line, key and
/// what would be right. Holds references: it lives no longer than the document and its lines.
class JsonObject {
public:
    using Lines = std::map<std::string, int>;

    /// `pointer` is the object's JSON pointer, `what` names it in messages ("a sweep file").
    JsonObject(const nlohmann::ordered_json& json, std::string pointer, const Lines& lines, std::string what);

    /// Refuses keys that are not among the known ones and names the nearest.
    void allowOnly(const std::vector<std::string>& known) const;

    bool contains(const std::string& key) const { return m_json.contains(key); }
    std::vector<std::string> keys() const;

    /// A string that is not empty; missing keys take the default, or are refused without one.
    std::string text(const std::string& key) const;
    std::string text(const std::string& key, const std::string& missing) const;

    /// One of the choices; the default where it is missing.
    std::string choice(const std::string& key, const std::string& missing,
                       const std::vector<std::string>& choices) const;

    /// A whole number in the range; the default where it is missing.
    std::int64_t integer(const std::string& key, std::int64_t missing, std::int64_t minimum,
                         std::int64_t maximum) const;

    /// A value, a range string or a list of these, as AxisText.
    AxisText axis(const std::string& key) const;

    /// A string or a list of strings.
    std::vector<std::string> texts(const std::string& key) const;

    JsonObject object(const std::string& key, const std::string& what) const;
    /// The objects of a list that is not empty; none where the key is missing.
    std::vector<JsonObject> objects(const std::string& key, const std::string& what) const;

    /// Throws RefusedInput: "line 7: budgets = 3: expected …".
    [[noreturn]] void refuse(const std::string& key, const std::string& expected) const;

    /// Throws RefusedInput: "line 7: <message>".
    [[noreturn]] void complain(const std::string& key, const std::string& message) const;

private:
    const nlohmann::ordered_json& at(const std::string& key, const std::string& expected) const;
    std::string lineOf(const std::string& pointer) const;
    std::string fieldOf(const std::string& key) const;

    const nlohmann::ordered_json& m_json;
    std::string m_pointer;
    const Lines& m_lines;
    std::string m_what;
};

}  // namespace kvist::experiments
