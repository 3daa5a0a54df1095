// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/runtime/file_bytes.h"

namespace kvist {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
    throwUnreadable(path, std::strerror(error));
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : m_path(path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        fail(path, errno);
    }
    struct stat facts {};
    if (::fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        ::close(descriptor);
        throwUnreadable(path, "not a regular file");
    }
    const auto size = static_cast<std::size_t>(facts.st_size);
    if (size > 0) {
        void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        const int error = errno;
        if (address == MAP_FAILED) {
            ::close(descriptor);
            fail(path, error);
        }
        m_bytes = {static_cast<const std::byte*>(address), size};
    }
    ::close(descriptor);
}

MappedFile::~MappedFile() {
    if (!m_bytes.empty()) {
        ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
    }
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : m_path(std::move(other.m_path)), m_bytes(std::exchange(other.m_bytes, {})) {}

}  // namespace kvist
