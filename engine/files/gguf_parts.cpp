// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/files/gguf_parts.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string>

#include "engine/runtime/file_bytes.h"

namespace kvist {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDigits = 5;

bool areDigits(const std::string& text) {
    return text.size() == kDigits &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

std::string partName(const std::string& stem, int part, int count) {
    char suffix[32];
    std::snprintf(suffix, sizeof suffix, "-%05d-of-%05d.gguf", part, count);
    return stem + suffix;
}

/// Whether the metadata of a part agrees with its place among the others.
void checkPart(const GgufFile& file, std::size_t index, std::size_t count) {
    const GgufMetadata& metadata = file.metadata();
    const std::int64_t own = metadata.wholeNumber("split.no").value_or(0);
    const std::int64_t all = std::max<std::int64_t>(1, metadata.wholeNumber("split.count").value_or(1));
    if (all != static_cast<std::int64_t>(count) || own != static_cast<std::int64_t>(index)) {
        metadata.fail("split.count", "says part " + std::to_string(own + 1) + " of " + std::to_string(all) +
                                         ", the file is opened as part " + std::to_string(index + 1) + " of " +
                                         std::to_string(count) + "; keep the names of the parts as published");
    }
}

}  // namespace

std::vector<fs::path> ggufParts(const fs::path& file) {
    // "…-00002-of-00003.gguf"
    const std::string name = file.filename().string();
    const std::string ending = ".gguf";
    const std::size_t tail = 2 * kDigits + 5 + ending.size();
    if (!name.ends_with(ending) || name.size() <= tail) {
        return {file};
    }
    const std::size_t at = name.size() - tail;
    const std::string part = name.substr(at + 1, kDigits);
    const std::string count = name.substr(at + kDigits + 5, kDigits);
    if (name[at] != '-' || !areDigits(part) || name.substr(at + 1 + kDigits, 4) != "-of-" || !areDigits(count) ||
        std::stoi(count) < 1) {
        return {file};
    }
    std::vector<fs::path> parts;
    for (int i = 1; i <= std::stoi(count); ++i) {
        parts.push_back(file.parent_path() / partName(name.substr(0, at), i, std::stoi(count)));
    }
    return parts;
}

std::vector<std::unique_ptr<const GgufFile>> openGguf(const fs::path& file) {
    const std::vector<fs::path> parts = ggufParts(file);
    std::vector<std::unique_ptr<const GgufFile>> files;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!fs::exists(parts[i])) {
            throwUnreadable(parts[i], "part " + std::to_string(i + 1) + " of " + std::to_string(parts.size()) +
                                          " is missing; download it beside the others");
        }
        files.push_back(std::make_unique<const GgufFile>(parts[i]));
        checkPart(*files.back(), i, parts.size());
    }
    std::size_t tensors = 0;
    for (const auto& part : files) {
        tensors += part->tensors().size();
    }
    const auto expected = files.front()->metadata().wholeNumber("split.tensors.count");
    if (expected && *expected != static_cast<std::int64_t>(tensors)) {
        files.front()->metadata().fail("split.tensors.count", "is " + std::to_string(*expected) + ", the parts hold " +
                                                                  std::to_string(tensors) + " tensors");
    }
    return files;
}

}  // namespace kvist
