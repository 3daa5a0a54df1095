// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/text/tokenizer.h"

namespace kvist::testing {

using Ids = std::vector<std::int32_t>;

std::filesystem::path goldenFolder();  ///< tests/data/tokenizer
std::filesystem::path qwenFolder();    ///< tests/data/qwen2.5

/// The tokenizer that golden files call "qwen", "demo", "small" or "prefix"; opened once.
const Tokenizer& goldenTokenizer(const std::string& key);

/// A golden file's list of cases.
nlohmann::json goldenCases(const std::string& file);

std::string bytesOfHex(const std::string& hex);

/// As make_vectors.py has it: 64-bit FNV-1a over the ids as little-endian 32-bit numbers, in hex.
std::string fnv1a(const Ids& ids);

}  // namespace kvist::testing
