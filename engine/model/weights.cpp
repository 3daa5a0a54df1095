// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/weights.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/isfinite.h>

#include <set>

#include "engine/api/engine_error.h"
#include "engine/runtime/compute.h"
#include "engine/runtime/json_file.h"

namespace kvist {
namespace {

constexpr const char* kSingleFile = "model.safetensors";
constexpr const char* kIndexFile = "model.safetensors.index.json";

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
    throw EngineError(ErrorKind::UnreadableFile, path.string() + ": " + what);
}

/// File names of the shards, in ascending order.
std::set<std::string> shardNames(const std::filesystem::path& index) {
    const nlohmann::json document = readJsonObject(index);
    if (!document.contains("weight_map") || !document["weight_map"].is_object()) {
        fail(index, "has no \"weight_map\"");
    }
    std::set<std::string> names;
    for (const auto& [tensor, file] : document["weight_map"].items()) {
        if (!file.is_string() || std::filesystem::path(file.get<std::string>()).has_parent_path()) {
            fail(index, "tensor " + tensor + " names no file of this folder");
        }
        names.insert(file.get<std::string>());
    }
    return names;
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const std::int64_t extent : shape) {
        text += (text.empty() ? "" : " × ") + std::to_string(extent);
    }
    return text;
}

/// Bytes copied between two calls of the listener, a multiple of every element size.
constexpr std::size_t kBlockBytes = std::size_t{64} << 20;

void copyBlock(std::span<const std::byte> block, at::ScalarType type, at::Tensor& destination) {
    // The format promises no alignment, and a tensor over misaligned memory is undefined behaviour.
    std::vector<std::byte> aligned;
    const void* source = block.data();
    if (reinterpret_cast<std::uintptr_t>(source) % c10::elementSize(type) != 0) {
        aligned.assign(block.begin(), block.end());
        source = aligned.data();
    }
    destination.copy_(at::from_blob(const_cast<void*>(source), destination.sizes(), at::TensorOptions(type)));
}

}  // namespace

Weights::Weights(const std::filesystem::path& folder) : m_folder(folder) {
    if (std::filesystem::exists(folder / kSingleFile)) {
        m_files.emplace_back(folder / kSingleFile);
        return;
    }
    if (!std::filesystem::exists(folder / kIndexFile)) {
        fail(folder, std::string("no weights: neither ") + kSingleFile + " nor " + kIndexFile +
                         " is there; choose a folder as downloaded from the Hugging Face hub");
    }
    for (const std::string& name : shardNames(folder / kIndexFile)) {
        if (!std::filesystem::exists(folder / name)) {
            fail(folder / name, "this shard is missing; download it into the folder");
        }
        m_files.emplace_back(folder / name);
    }
}

bool Weights::has(const std::string& name) const {
    for (const SafetensorsFile& file : m_files) {
        if (file.tensors().contains(name)) {
            return true;
        }
    }
    return false;
}

const StoredTensor& Weights::find(const std::string& name) const {
    for (const SafetensorsFile& file : m_files) {
        const auto found = file.tensors().find(name);
        if (found != file.tensors().end()) {
            return found->second;
        }
    }
    fail(m_folder, "tensor " + name + " is missing from the weights");
}

void Weights::copyTo(const std::string& name, at::Tensor destination) const {
    const StoredTensor& stored = find(name);
    if (!c10::isFloatingType(stored.type)) {
        fail(m_folder, "tensor " + name + " does not hold floating-point numbers");
    }
    if (at::IntArrayRef(stored.shape) != destination.sizes()) {
        fail(m_folder, "tensor " + name + " is " + shapeText(stored.shape) + ", the configuration asks for " +
                           shapeText(destination.sizes().vec()));
    }
    at::Tensor flat = destination.view(-1);
    std::int64_t first = 0;
    for (std::size_t at = 0; at < stored.bytes.size(); at += kBlockBytes) {
        const auto block = stored.bytes.subspan(at, std::min(kBlockBytes, stored.bytes.size() - at));
        const auto count = static_cast<std::int64_t>(block.size() / c10::elementSize(stored.type));
        at::Tensor part = flat.narrow(0, first, count);
        copyBlock(block, stored.type, part);
        if (!at::isfinite(part).all().item<bool>()) {
            fail(m_folder, "tensor " + name + " holds NaN or infinity (as " + dtypeName(part.scalar_type()) +
                               "); the file is damaged or its numbers do not fit that type");
        }
        first += count;
        if (m_onCopied) {
            m_onCopied(static_cast<std::int64_t>(block.size()));
        }
    }
}

std::vector<std::filesystem::path> Weights::files() const {
    std::vector<std::filesystem::path> paths;
    for (const SafetensorsFile& file : m_files) {
        paths.push_back(file.path());
    }
    return paths;
}

std::int64_t Weights::bytes() const {
    std::int64_t sum = 0;
    for (const SafetensorsFile& file : m_files) {
        for (const auto& [name, tensor] : file.tensors()) {
            sum += static_cast<std::int64_t>(tensor.bytes.size());
        }
    }
    return sum;
}

std::int64_t Weights::parameters() const {
    std::int64_t sum = 0;
    for (const SafetensorsFile& file : m_files) {
        for (const auto& [name, tensor] : file.tensors()) {
            sum += static_cast<std::int64_t>(tensor.bytes.size() / c10::elementSize(tensor.type));
        }
    }
    return sum;
}

std::string Weights::storedType() const {
    std::map<at::ScalarType, std::size_t> bytes;
    for (const SafetensorsFile& file : m_files) {
        for (const auto& [name, tensor] : file.tensors()) {
            if (c10::isFloatingType(tensor.type)) {
                bytes[tensor.type] += tensor.bytes.size();
            }
        }
    }
    const auto most =
        std::max_element(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == bytes.end()) {
        fail(m_folder, "the weights hold no floating-point tensor");
    }
    return dtypeName(most->first);
}

}  // namespace kvist
