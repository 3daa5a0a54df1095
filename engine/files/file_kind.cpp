// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/files/file_kind.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "engine/runtime/mapped_file.h"

namespace kvist {
namespace {

using std::string_view_literals::operator""sv;

std::string_view startOf(const MappedFile& file) {
    return {reinterpret_cast<const char*>(file.bytes().data()), std::min<std::size_t>(file.bytes().size(), 64)};
}

/// Eight bytes of length, then a JSON object.
bool isSafetensors(const MappedFile& file) {
    const std::string_view start = startOf(file);
    std::uint64_t length = 0;
    if (start.size() < 10) {
        return false;
    }
    std::memcpy(&length, start.data(), sizeof length);
    return start[8] == '{' && length <= 100'000'000;
}

}  // namespace

FileKind fileKind(const std::filesystem::path& path) {
    const MappedFile file(path);
    if (startOf(file).starts_with("GGUF")) {
        return FileKind::Gguf;
    }
    return isSafetensors(file) ? FileKind::Safetensors : FileKind::Other;
}

std::string describeFile(const std::filesystem::path& path) {
    constexpr std::array kStarts = {
        std::pair{"GGUF"sv, "a GGUF file"},
        std::pair{"PK\x03\x04"sv, "a zip archive (PyTorch checkpoints are such)"},
        std::pair{"\x80\x02"sv, "a pickled PyTorch checkpoint"},
        std::pair{"lmgg"sv, "a GGML file of the time before GGUF"},
        std::pair{"tjgg"sv, "a GGML file of the time before GGUF"},
        std::pair{"fmgg"sv, "a GGML file of the time before GGUF"},
        std::pair{"SQLite format 3"sv, "a result store"},
        std::pair{"version https://git-lfs"sv, "a Git LFS pointer in place of the file itself"},
        std::pair{"\x1f\x8b"sv, "a gzip archive"},
        std::pair{"\x89HDF"sv, "an HDF5 file"},
        std::pair{"<!DOCTYPE"sv, "a web page"},
        std::pair{"<html"sv, "a web page"},
    };
    const MappedFile file(path);
    const std::string_view start = startOf(file);
    if (start.empty()) {
        return "empty";
    }
    if (isSafetensors(file)) {
        return "a safetensors file";
    }
    for (const auto& [bytes, what] : kStarts) {
        if (start.starts_with(bytes)) {
            return what;
        }
    }
    return start.front() == '{' ? "a JSON file" : "of no kind that Kvist knows";
}

}  // namespace kvist
