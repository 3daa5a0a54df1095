// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/json_file.h"

#include <algorithm>

#include "engine/runtime/file_bytes.h"
#include "engine/runtime/mapped_file.h"

namespace kvist {

nlohmann::json readJsonObject(const std::filesystem::path& path) {
    const MappedFile file(path);
    const auto* begin = reinterpret_cast<const char*>(file.bytes().data());
    const auto* end = begin + file.bytes().size();
    nlohmann::json document;
    try {
        document = nlohmann::json::parse(begin, end);
    } catch (const nlohmann::json::parse_error& error) {
        const auto* at = begin + std::min<std::size_t>(error.byte, file.bytes().size());
        const auto line = 1 + std::count(begin, at, '\n');
        throwUnreadable(path, "is not valid JSON at byte " + std::to_string(error.byte) + " of " +
                                  std::to_string(file.bytes().size()) + ", line " + std::to_string(line) +
                                  "; the file is truncated or damaged, copy it again");
    } catch (const nlohmann::json::out_of_range&) {
        throwUnreadable(path, "holds a number beyond the range of floating point; the file is damaged");
    }
    if (!document.is_object()) {
        throwUnreadable(path, std::string("must hold a JSON object, not ") + document.type_name());
    }
    return document;
}

}  // namespace kvist
