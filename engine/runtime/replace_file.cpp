// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/replace_file.h"

#include <unistd.h>

#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace kvist {
namespace {

namespace fs = std::filesystem;

/// A file that goes with the object; once it has been moved away there is nothing left to remove.
class UnfinishedFile {
public:
    explicit UnfinishedFile(fs::path path) : m_path(std::move(path)) {}
    ~UnfinishedFile() {
        std::error_code ignored;
        fs::remove(m_path, ignored);
    }
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;

    const fs::path& path() const { return m_path; }

private:
    const fs::path m_path;
};

}  // namespace

bool replaceFile(const fs::path& file, const std::function<void(std::ostream&)>& write) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    const UnfinishedFile part(file.string() + "." + std::to_string(::getpid()) + ".part");
    std::ofstream stream(part.path(), std::ios::binary | std::ios::trunc);
    if (!stream) {
        return false;
    }
    write(stream);
    stream.close();
    if (!stream) {
        return false;
    }
    fs::rename(part.path(), file, error);
    return !error;
}

}  // namespace kvist
