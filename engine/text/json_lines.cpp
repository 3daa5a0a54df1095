// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/json_lines.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/runtime/file_bytes.h"
#include "engine/text/utf8.h"

namespace kvist {
namespace {

std::string textFieldsOf(const nlohmann::json& object) {
    std::string names;
    for (const auto& [name, value] : object.items()) {
        if (value.is_string()) {
            names += (names.empty() ? "" : ", ") + name;
        }
    }
    return names.empty() ? "none" : names;
}

}  // namespace

std::string textOfJsonLines(std::string_view lines, const std::string& field, const std::filesystem::path& source) {
    std::string text;
    for (std::int64_t number = 1; !lines.empty(); ++number) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(lines.size(), line.size() + 1));
        if (isBlank(line)) {
            continue;
        }
        const nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
        const std::string place = "line " + std::to_string(number);
        if (!object.is_object()) {
            throwUnreadable(source, place + " is no JSON object, as every line of a .jsonl file must be");
        }
        const auto found = object.find(field);
        if (found == object.end() || !found->is_string()) {
            throwUnreadable(source, place + " has no text \"" + field +
                                        "\"; choose another field (texts in this line: " + textFieldsOf(object) + ")");
        }
        text += (text.empty() ? "" : "\n\n") + found->get<std::string>();
    }
    return text;
}

}  // namespace kvist
