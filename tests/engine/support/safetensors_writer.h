// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

namespace kvist::testing {

/// The bytes of a safetensors file with exactly this header, however wrong, and these data.
inline std::string safetensorsBytes(const std::string& header, const std::string& data, std::uint64_t claimedLength) {
    std::string bytes(sizeof claimedLength, '\0');
    std::memcpy(bytes.data(), &claimedLength, sizeof claimedLength);
    return bytes + header + data;
}

inline std::string safetensorsBytes(const nlohmann::json& header, const std::string& data) {
    const std::string text = header.dump();
    return safetensorsBytes(text, data, text.size());
}

inline nlohmann::json tensorEntry(const std::string& type, const std::vector<std::uint64_t>& shape, std::uint64_t begin,
                                  std::uint64_t end) {
    return {{"dtype", type}, {"shape", shape}, {"data_offsets", {begin, end}}};
}

/// A safetensors file taken apart, to be changed and put together again.
struct SafetensorsParts {
    nlohmann::json header;
    std::string data;

    explicit SafetensorsParts(const std::string& bytes) {
        std::uint64_t length = 0;
        std::memcpy(&length, bytes.data(), sizeof length);
        header = nlohmann::json::parse(bytes.substr(sizeof length, length));
        data = bytes.substr(sizeof length + length);
    }
    std::string bytes() const { return safetensorsBytes(header, data); }

    void overwrite(const std::string& tensor, const void* value, std::size_t size) {
        data.replace(header.at(tensor).at("data_offsets").at(0).get<std::size_t>(), size,
                     static_cast<const char*>(value), size);
    }
};

}  // namespace kvist::testing
