// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "engine/api/engine_error.h"

/// What a fuzz target defines: reads `size` bytes as a file of its format. Any exception but EngineError, and anything
/// that a sanitizer reports, is a finding.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace kvist::fuzz {

/// A folder in memory where there is one, for readers that take paths; one a process, removed at its end.
class FuzzFolder {
public:
    static const FuzzFolder& instance();

    std::filesystem::path write(const std::string& name, std::span<const std::uint8_t> bytes) const;
    const std::filesystem::path& path() const { return m_path; }

    FuzzFolder(const FuzzFolder&) = delete;
    FuzzFolder& operator=(const FuzzFolder&) = delete;

private:
    FuzzFolder();
    ~FuzzFolder();

    std::filesystem::path m_path;
};

/// Calls a function that may refuse its file.
template <typename Function>
void refusable(Function function) {
    try {
        function();
    } catch (const EngineError&) {
    }
}

}  // namespace kvist::fuzz
