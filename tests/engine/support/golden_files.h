// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace kvist::testing {

inline std::filesystem::path dataFolder() {
    return KVIST_TEST_DATA;
}
inline std::filesystem::path tinyModel(const std::string& name) {
    return dataFolder() / "models" / name;
}
inline std::filesystem::path demoModel() {
    return std::filesystem::path(KVIST_RESOURCES) / "demo_model";
}
inline std::filesystem::path sampleText(const std::string& name) {
    return std::filesystem::path(KVIST_RESOURCES) / "texts" / name;
}

inline std::string readBytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw std::runtime_error("cannot read " + path.string());
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Numbers separated by white space.
template <typename T>
std::vector<T> readNumbers(const std::filesystem::path& path) {
    std::ifstream file(path);
    if (!file) {
        throw std::runtime_error("cannot read " + path.string());
    }
    return {std::istream_iterator<T>(file), {}};
}

/// Raw little-endian numbers as a tensor of `shape`.
inline at::Tensor readTensor(const std::filesystem::path& path, at::IntArrayRef shape, at::ScalarType type) {
    const std::string bytes = readBytes(path);
    at::Tensor tensor = at::empty(shape, type);
    if (bytes.size() != tensor.nbytes()) {
        throw std::runtime_error(path.string() + " has another size than expected");
    }
    bytes.copy(static_cast<char*>(tensor.data_ptr()), bytes.size());
    return tensor;
}

}  // namespace kvist::testing
