// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/files/safetensors_file.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/files/file_kind.h"
#include "engine/runtime/file_bytes.h"

namespace kvist {
namespace {

using nlohmann::json;

/// The format's limit on the header, so that a wrong length is not taken for a huge header.
constexpr std::uint64_t kLargestHeader = 100'000'000;

std::optional<at::ScalarType> typeNamed(const std::string& name) {
    static const std::map<std::string, at::ScalarType> types = {
        {"BF16", at::kBFloat16}, {"F16", at::kHalf},  {"F32", at::kFloat}, {"F64", at::kDouble}, {"I64", at::kLong},
        {"I32", at::kInt},       {"I16", at::kShort}, {"I8", at::kChar},   {"U8", at::kByte},    {"BOOL", at::kBool}};
    const auto found = types.find(name);
    return found == types.end() ? std::nullopt : std::optional(found->second);
}

json readHeader(const MappedFile& file, std::span<const std::byte>& data) {
    const auto bytes = file.bytes();
    std::uint64_t length = 0;
    if (bytes.size() < sizeof length) {
        throwUnreadable(file.path(),
                        "too short for a safetensors file: " + describeFile(file.path()) + "; download it again");
    }
    std::memcpy(&length, bytes.data(), sizeof length);
    if (length > kLargestHeader || length > bytes.size() - sizeof length) {
        throwUnreadable(file.path(), "the header claims " + std::to_string(length) + " bytes, the file has " +
                                         std::to_string(bytes.size()) +
                                         "; it is truncated or no safetensors file but " + describeFile(file.path()));
    }
    data = bytes.subspan(sizeof length + length);
    const auto* text = reinterpret_cast<const char*>(bytes.data() + sizeof length);
    json header = json::parse(text, text + length, nullptr, false);
    if (!header.is_object()) {
        throwUnreadable(file.path(), "the header is not a JSON object; the file is damaged");
    }
    return header;
}

bool isCount(const json& value) {
    return value.is_number_integer() && value.get<std::int64_t>() >= 0;
}

StoredTensor readEntry(const std::filesystem::path& path, const std::string& name, const json& entry,
                       std::span<const std::byte> data) {
    const auto refuse = [&](const std::string& what) { throwUnreadable(path, "tensor " + name + ": " + what); };
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string() || !entry.contains("shape") ||
        !entry["shape"].is_array() || !entry.contains("data_offsets") || !entry["data_offsets"].is_array() ||
        entry["data_offsets"].size() != 2 || !isCount(entry["data_offsets"][0]) || !isCount(entry["data_offsets"][1])) {
        refuse("expected dtype, shape and data_offsets");
    }
    StoredTensor tensor;
    const auto type = typeNamed(entry["dtype"].get<std::string>());
    if (!type) {
        refuse("unknown type " + entry["dtype"].get<std::string>());
    }
    tensor.type = *type;
    std::uint64_t expected = c10::elementSize(*type);
    for (const json& extent : entry["shape"]) {
        if (!isCount(extent)) {
            refuse("a shape of " + entry["shape"].dump());
        }
        tensor.shape.push_back(extent.get<std::int64_t>());
        if (__builtin_mul_overflow(expected, extent.get<std::uint64_t>(), &expected)) {
            refuse("the shape " + entry["shape"].dump() + " is larger than any memory");
        }
    }
    const auto begin = entry["data_offsets"][0].get<std::uint64_t>();
    const auto end = entry["data_offsets"][1].get<std::uint64_t>();
    if (begin > end || end > data.size()) {
        refuse("lies at " + std::to_string(begin) + "–" + std::to_string(end) + " of " + std::to_string(data.size()) +
               " bytes; the file is truncated or damaged");
    }
    if (end - begin != expected) {
        refuse("has " + std::to_string(end - begin) + " bytes, its shape asks for " + std::to_string(expected));
    }
    tensor.bytes = data.subspan(begin, end - begin);
    return tensor;
}

}  // namespace

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : m_file(path) {
    std::span<const std::byte> data;
    const json header = readHeader(m_file, data);
    for (const auto& [name, entry] : header.items()) {
        if (name != "__metadata__") {
            m_tensors.emplace(name, readEntry(path, name, entry, data));
        }
    }
    checkOverlaps(path, m_tensors);
}

}  // namespace kvist
