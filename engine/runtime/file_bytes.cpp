// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/file_bytes.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "engine/api/engine_error.h"

namespace kvist {

void throwUnreadable(const std::filesystem::path& path, const std::string& what) {
    throw EngineError(ErrorKind::UnreadableFile, path.string() + ": " + what);
}

std::string readBytes(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        throwUnreadable(path, "is a folder where a file is needed");
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throwUnreadable(path, std::string("cannot be opened (") + std::strerror(errno) + ")");
    }
    std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (file.bad()) {
        throwUnreadable(path, "cannot be read to its end; check the disk");
    }
    return bytes;
}

}  // namespace kvist
