// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/text/tokenizer_goldens.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>

namespace kvist::testing {

std::filesystem::path goldenFolder() {
    return std::filesystem::path(KVIST_TEST_DATA) / "tokenizer";
}
std::filesystem::path qwenFolder() {
    return std::filesystem::path(KVIST_TEST_DATA) / "qwen2.5";
}

const Tokenizer& goldenTokenizer(const std::string& key) {
    static const std::map<std::string, std::filesystem::path> kFolders = {
        {"qwen", qwenFolder()},
        {"demo", std::filesystem::path(KVIST_RESOURCES) / "demo_model"},
        {"small", goldenFolder() / "small"},
        {"prefix", goldenFolder() / "prefix"}};
    static std::map<std::string, std::unique_ptr<Tokenizer>> opened;
    auto& tokenizer = opened[key];
    if (tokenizer == nullptr) {
        tokenizer = openTokenizer(kFolders.at(key));
    }
    return *tokenizer;
}

nlohmann::json goldenCases(const std::string& file) {
    std::ifstream stream(goldenFolder() / file);
    auto cases = nlohmann::json::parse(stream);
    if (cases.empty()) {
        throw std::runtime_error(file + " holds no cases");
    }
    return cases;
}

std::string bytesOfHex(const std::string& hex) {
    std::string bytes;
    for (std::size_t at = 0; at + 1 < hex.size(); at += 2) {
        bytes += static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16));
    }
    return bytes;
}

std::string fnv1a(const Ids& ids) {
    std::uint64_t value = 0xCBF29CE484222325;
    for (const std::int32_t id : ids) {
        for (int shift = 0; shift < 32; shift += 8) {
            value = (value ^ ((static_cast<std::uint32_t>(id) >> shift) & 0xFF)) * 0x100000001B3;
        }
    }
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    return text;
}

}  // namespace kvist::testing
