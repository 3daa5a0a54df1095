// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/output_check.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "engine/api/engine_error.h"
#include "experiments/file_text.h"

namespace kvist::app {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& option, const std::string& path, const std::string& why) {
    throw EngineError(ErrorKind::InvalidInput, option + " " + path + ": " + why);
}

void checkFolder(const std::string& option, const std::string& path, const fs::path& folder) {
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
        refuse(option, path,
               "the folder " + folder.string() + " cannot be written (" + std::strerror(errno) +
                   "); choose another place");
    }
}

}  // namespace

void checkOutputFile(const std::string& option, const std::string& path) {
    if (path.empty() || experiments::isDevice(path)) {
        return;
    }
    const fs::path file(path);
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    std::error_code error;
    if (fs::is_directory(file, error)) {
        refuse(option, path, "is a folder; name a file in it");
    }
    if (!fs::is_directory(folder, error)) {
        refuse(option, path, "there is no folder " + folder.string() + "; make it, or choose another place");
    }
    checkFolder(option, path, folder);
}

void makeOutputFolder(const std::string& option, const std::string& path) {
    if (path.empty()) {
        return;
    }
    std::error_code error;
    fs::create_directories(path, error);
    if (!fs::is_directory(path)) {
        refuse(option, path,
               "the folder cannot be made (" + (error ? error.message() : "a file is in its place") +
                   "); choose another place");
    }
    checkFolder(option, path, path);
}

}  // namespace kvist::app
