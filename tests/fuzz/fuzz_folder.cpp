// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/fuzz_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace kvist::fuzz {

namespace fs = std::filesystem;

FuzzFolder::FuzzFolder() {
    const fs::path memory = "/dev/shm";
    const fs::path parent = ::access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path();
    std::string name = (parent / "kvist-fuzz-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("cannot make " + name);
    }
    m_path = name;
}

FuzzFolder::~FuzzFolder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

const FuzzFolder& FuzzFolder::instance() {
    static const FuzzFolder folder;
    return folder;
}

fs::path FuzzFolder::write(const std::string& name, std::span<const std::uint8_t> bytes) const {
    std::ofstream(m_path / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return m_path / name;
}

}  // namespace kvist::fuzz
