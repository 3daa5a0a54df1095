// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace kvist {

/// A file mapped read-only into memory. The bytes stay valid as long as the object lives.
class MappedFile {
public:
    /// Throws EngineError(UnreadableFile) that names the file.
    explicit MappedFile(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    MappedFile& operator=(MappedFile&&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::span<const std::byte> bytes() const { return m_bytes; }

private:
    std::filesystem::path m_path;
    std::span<const std::byte> m_bytes;
};

}  // namespace kvist
