// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/value_range.h"

#include <algorithm>
#include <cmath>
#include <regex>

#include "engine/api/engine_error.h"
#include "experiments/number_text.h"

namespace kvist::experiments {
namespace {

constexpr std::size_t kMostValues = 1000;
constexpr int kDigits = 12;  // significant digits of a range's values: hides what doubles add to 0.1 + 0.2

const std::string kNumber = R"((-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?))";
const std::string kUnit = R"(\s*(%|[A-Za-z]*)\s*)";

[[noreturn]] void refuse(const std::string& item, const std::string& remedy) {
    throw RefusedInput("", item + ": " + remedy);
}

/// The numbers of one range, its unit appended to each.
std::vector<std::string> expandedRange(const std::string& item, const std::smatch& parts) {
    const double first = *numberOf<double>(parts.str(1));
    const double last = *numberOf<double>(parts.str(3));
    const bool isFactor = parts.str(5) == "*";
    const double step = *numberOf<double>(parts.str(6));
    const std::string unit = parts.str(4);
    const auto isOther = [&unit](const std::string& given) { return !given.empty() && given != unit; };
    if (isOther(parts.str(2)) || isOther(parts.str(7)) || (isFactor && !parts.str(7).empty())) {
        refuse(item, "both ends of a range and its step have the same unit, a factor has none");
    }
    if (first > last) {
        refuse(item, "a range goes from the smaller to the larger value");
    }
    if (isFactor ? step <= 1 || first <= 0 : step <= 0) {
        refuse(item, isFactor ? "a factor is greater than 1 and starts from a value greater than 0"
                              : "a step is greater than 0");
    }
    std::vector<std::string> values;
    for (std::size_t i = 0;; ++i) {
        const double exact = isFactor ? first * std::pow(step, i) : first + step * static_cast<double>(i);
        const std::string rounded = numberText(exact, kDigits);
        if (*numberOf<double>(rounded) > last) {
            return values;
        }
        if (values.size() == kMostValues) {
            refuse(item, "more than " + numberText(kMostValues) + " values; take a larger step");
        }
        const bool isWhole = exact == std::floor(exact) && std::fabs(exact) < 1e15;
        values.push_back(
            (isWhole ? numberText(static_cast<std::int64_t>(exact)) : numberText(*numberOf<double>(rounded))) + unit);
    }
}

std::vector<std::string> expandedItem(const std::string& item) {
    static const std::regex range(kNumber + kUnit + R"(-\s*)" + kNumber + kUnit + R"(([*+])\s*)" + kNumber + kUnit);
    static const std::regex ends(kNumber + R"(\s*-\s*)" + kNumber);
    std::smatch parts;
    if (std::regex_match(item, parts, range)) {
        return expandedRange(item, parts);
    }
    if (std::regex_match(item, parts, ends)) {
        refuse(item, "a range needs a factor or a step, as in " + item + "*2 or " + item + "+64");
    }
    return {item};
}

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    return first == text.npos ? std::string{}
                              : std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

}  // namespace

std::vector<std::string> axisItems(const AxisText& text) {
    std::vector<std::string> items;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        if (std::string item = trimmed(std::string_view(text).substr(begin, end - begin)); !item.empty()) {
            items.push_back(std::move(item));
        }
        begin = end + 1;
    }
    return items;
}

AxisText joinedItems(const std::vector<std::string>& items) {
    AxisText text;
    for (const std::string& item : items) {
        text += (text.empty() ? "" : ", ") + item;
    }
    return text;
}

Result<std::vector<std::string>> expandedAxis(const AxisText& text) {
    try {
        std::vector<std::string> values;
        for (const std::string& item : axisItems(text)) {
            for (std::string& value : expandedItem(item)) {
                if (std::find(values.begin(), values.end(), value) == values.end()) {
                    values.push_back(std::move(value));
                }
            }
        }
        if (values.empty()) {
            return Refusal{"", "no value given; write one (64), several (64, 128) or a range (64-512*2, 0-64+16)"};
        }
        return values;
    } catch (const RefusedInput& refused) {
        return refused.refusal();
    }
}

Result<std::vector<std::int64_t>> expandedIntegers(const AxisText& text, std::int64_t minimum, std::int64_t maximum) {
    const auto values = expandedAxis(text);
    if (!values) {
        return values.refusal();
    }
    std::vector<std::int64_t> numbers;
    for (const std::string& value : *values) {
        const auto number = numberOf<std::int64_t>(value);
        if (!number || *number < minimum || *number > maximum) {
            return Refusal{
                "", value + ": expected a whole number from " + numberText(minimum) + " to " + numberText(maximum)};
        }
        numbers.push_back(*number);
    }
    return numbers;
}

Result<std::vector<ParameterValue>> expandedValues(const ParameterSpec& spec, const AxisText& text) {
    const auto values = expandedAxis(text);
    if (!values) {
        return Refusal{"", spec.name + ": " + values.refusal().message};
    }
    try {
        std::vector<ParameterValue> checked;
        for (const std::string& value : *values) {
            checked.push_back(parseValue(spec, value));
        }
        return checked;
    } catch (const EngineError& error) {
        return Refusal{"", error.what()};
    }
}

}  // namespace kvist::experiments
