// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/json_file.h"

#include <algorithm>

#include "engine/api/engine_error.h"
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
        throw EngineError(ErrorKind::UnreadableFile,
                          path.string() + ", line " + std::to_string(line) + ": not valid JSON (" + error.what() + ")");
    }
    if (!document.is_object()) {
        throw EngineError(ErrorKind::UnreadableFile, path.string() + ": expected a JSON object");
    }
    return document;
}

}  // namespace kvist
