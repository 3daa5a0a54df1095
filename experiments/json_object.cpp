// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/json_object.h"

#include <algorithm>

#include "engine/api/nearest_name.h"
#include "experiments/number_text.h"
#include "experiments/result.h"
#include "experiments/value_range.h"

namespace kvist::experiments {
namespace {

using Json = nlohmann::ordered_json;

/// An item of an axis as text; empty for what cannot be one.
std::string itemText(const Json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_number_integer() || value.is_boolean()) {
        return value.dump();
    }
    return value.is_number_float() ? numberText(value.get<double>()) : std::string{};
}

}  // namespace

JsonObject::JsonObject(const Json& json, std::string pointer, const Lines& lines, std::string what)
    : m_json(json), m_pointer(std::move(pointer)), m_lines(lines), m_what(std::move(what)) {
    if (!m_json.is_object()) {
        throw RefusedInput(fieldOf({}), lineOf(m_pointer) + m_what + " is an object in braces, not " + m_json.dump());
    }
}

void JsonObject::allowOnly(const std::vector<std::string>& known) const {
    for (const std::string& key : keys()) {
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            const std::string near = nearestName(key, known);
            complain(key, key + " is not a key of " + m_what +
                              (near.empty() ? "; known are " + joinedItems(known) : "; did you mean " + near + "?"));
        }
    }
}

std::vector<std::string> JsonObject::keys() const {
    std::vector<std::string> names;
    for (const auto& [key, value] : m_json.items()) {
        names.push_back(key);
    }
    return names;
}

std::string JsonObject::text(const std::string& key) const {
    const Json& value = at(key, "a text");
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
        refuse(key, "a text in quotes");
    }
    return value.get<std::string>();
}

std::string JsonObject::text(const std::string& key, const std::string& missing) const {
    return contains(key) ? text(key) : missing;
}

std::string JsonObject::choice(const std::string& key, const std::string& missing,
                               const std::vector<std::string>& choices) const {
    const std::string value = text(key, missing);
    if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
        refuse(key, "one of " + joinedItems(choices));
    }
    return value;
}

std::int64_t JsonObject::integer(const std::string& key, std::int64_t missing, std::int64_t minimum,
                                 std::int64_t maximum) const {
    if (!contains(key)) {
        return missing;
    }
    const Json& value = m_json.at(key);
    const bool isTooLarge = value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX;
    if (!value.is_number_integer() || isTooLarge || value.get<std::int64_t>() < minimum ||
        value.get<std::int64_t>() > maximum) {
        refuse(key, "a whole number from " + numberText(minimum) + " to " + numberText(maximum));
    }
    return value.get<std::int64_t>();
}

AxisText JsonObject::axis(const std::string& key) const {
    const std::string expected = "a value, a range such as \"64-512*2\", or a list of these";
    const Json& value = at(key, expected);
    std::vector<std::string> items;
    for (const Json& element : value.is_array() ? value : Json::array({value})) {
        items.push_back(itemText(element));
        if (items.back().empty()) {
            refuse(key, expected);
        }
    }
    if (items.empty()) {
        refuse(key, expected);
    }
    return joinedItems(items);
}

std::vector<std::string> JsonObject::texts(const std::string& key) const {
    const Json& value = at(key, "a text or a list of texts");
    std::vector<std::string> items;
    for (const Json& element : value.is_array() ? value : Json::array({value})) {
        if (!element.is_string() || element.get_ref<const std::string&>().empty()) {
            refuse(key, "a text in quotes or a list of such texts");
        }
        items.push_back(element.get<std::string>());
    }
    if (items.empty()) {
        refuse(key, "at least one text");
    }
    return items;
}

JsonObject JsonObject::object(const std::string& key, const std::string& what) const {
    return JsonObject(at(key, "an object in braces"), m_pointer + "/" + key, m_lines, what);
}

std::vector<JsonObject> JsonObject::objects(const std::string& key, const std::string& what) const {
    if (!contains(key)) {
        return {};
    }
    const Json& list = m_json.at(key);
    if (!list.is_array() || list.empty()) {
        refuse(key, "a list in brackets that is not empty");
    }
    std::vector<JsonObject> result;
    for (std::size_t i = 0; i < list.size(); ++i) {
        result.emplace_back(list[i], m_pointer + "/" + key + "/" + std::to_string(i), m_lines, what);
    }
    return result;
}

void JsonObject::refuse(const std::string& key, const std::string& expected) const {
    complain(key, key + " = " + m_json.at(key).dump() + ": expected " + expected);
}

void JsonObject::complain(const std::string& key, const std::string& message) const {
    throw RefusedInput(fieldOf(key), lineOf(m_pointer + "/" + key) + message);
}

const Json& JsonObject::at(const std::string& key, const std::string& expected) const {
    const auto found = m_json.find(key);
    if (found == m_json.end()) {
        throw RefusedInput(fieldOf(key),
                           lineOf(m_pointer) + key + " is missing in " + m_what + ": expected " + expected);
    }
    return *found;
}

std::string JsonObject::lineOf(const std::string& pointer) const {
    const auto found = m_lines.find(pointer);
    return "line " + std::to_string(found == m_lines.end() ? 1 : found->second) + ": ";
}

std::string JsonObject::fieldOf(const std::string& key) const {
    std::string field;
    const auto append = [&field](const std::string& part) {
        const bool isIndex = !part.empty() && part.find_first_not_of("0123456789") == part.npos;
        field += isIndex ? "[" + part + "]" : (field.empty() ? "" : ".") + part;
    };
    std::size_t begin = 1;
    while (begin < m_pointer.size()) {
        const std::size_t end = std::min(m_pointer.find('/', begin), m_pointer.size());
        append(m_pointer.substr(begin, end - begin));
        begin = end + 1;
    }
    if (!key.empty()) {
        append(key);
    }
    return field;
}

}  // namespace kvist::experiments
