// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/weights.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/isfinite.h>

#include <algorithm>
#include <map>

#include "engine/files/block_format.h"
#include "engine/files/gguf_parts.h"
#include "engine/files/safetensors_file.h"
#include "engine/runtime/compute.h"
#include "engine/runtime/file_bytes.h"
#include "engine/runtime/json_file.h"

namespace kvist {
namespace {

constexpr const char* kSingleFile = "model.safetensors";
constexpr const char* kIndexFile = "model.safetensors.index.json";

/// The tensors that an index places in each shard, by ascending name of the shard.
std::map<std::string, std::vector<std::string>> readIndex(const std::filesystem::path& index) {
    const nlohmann::json document = readJsonObject(index);
    if (!document.contains("weight_map") || !document["weight_map"].is_object()) {
        throwUnreadable(index, "has no \"weight_map\"");
    }
    std::map<std::string, std::vector<std::string>> shards;
    for (const auto& [tensor, file] : document["weight_map"].items()) {
        if (!file.is_string() || std::filesystem::path(file.get<std::string>()).has_parent_path()) {
            throwUnreadable(index, "tensor " + tensor + " names no file of this folder");
        }
        shards[file.get<std::string>()].push_back(tensor);
    }
    return shards;
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const std::int64_t extent : shape) {
        text += (text.empty() ? "" : " × ") + std::to_string(extent);
    }
    return text;
}

/// What is copied between two calls of the listener: a multiple of every element and block size, and small enough for
/// the buffers of the check to be used again instead of being mapped anew each time.
constexpr std::int64_t kPartElements = std::int64_t{1} << 20;

/// Elements from `first` on, as many as `destination` has; whole blocks where there are blocks.
std::int64_t copyPart(const StoredTensor& stored, std::int64_t first, at::Tensor& destination) {
    if (stored.blocks != nullptr) {
        const BlockFormat& format = *stored.blocks;
        const std::int64_t blocks = destination.numel() / format.elements;
        const std::byte* source = stored.bytes.data() + first / format.elements * format.bytes;
        const bool isDirect = destination.scalar_type() == at::kFloat && destination.is_cpu();
        at::Tensor decoded = isDirect ? destination : at::empty(destination.sizes(), at::TensorOptions(at::kFloat));
        decodeBlocks(format, source, blocks, decoded.data_ptr<float>());
        if (!isDirect) {
            destination.copy_(decoded);
        }
        return blocks * format.bytes;
    }
    const std::size_t size = c10::elementSize(stored.type);
    const auto bytes = stored.bytes.subspan(static_cast<std::size_t>(first) * size,
                                            static_cast<std::size_t>(destination.numel()) * size);
    // The format promises no alignment, and a tensor over misaligned memory is undefined behaviour.
    std::vector<std::byte> aligned;
    const void* source = bytes.data();
    if (reinterpret_cast<std::uintptr_t>(source) % size != 0) {
        aligned.assign(bytes.begin(), bytes.end());
        source = aligned.data();
    }
    destination.copy_(at::from_blob(const_cast<void*>(source), destination.sizes(), at::TensorOptions(stored.type)));
    return static_cast<std::int64_t>(bytes.size());
}

}  // namespace

Weights::Weights(const std::filesystem::path& model) : m_model(model) {
    if (!std::filesystem::is_regular_file(model)) {
        openFolder();
        return;
    }
    for (auto& part : openGguf(model)) {
        m_files.push_back(std::move(part));
    }
}

void Weights::openFolder() {
    std::error_code ignored;  // what cannot be looked up, such as too long a name, is not there
    if (std::filesystem::exists(m_model / kSingleFile, ignored)) {
        m_files.push_back(std::make_unique<const SafetensorsFile>(m_model / kSingleFile));
        return;
    }
    const std::filesystem::path index = m_model / kIndexFile;
    if (!std::filesystem::exists(index, ignored)) {
        throwUnreadable(m_model, std::string("no weights: neither ") + kSingleFile + " nor " + kIndexFile +
                                     " is there; choose a folder as downloaded from the Hugging Face hub");
    }
    for (const auto& [name, tensors] : readIndex(index)) {
        if (!std::filesystem::exists(m_model / name, ignored)) {
            throwUnreadable(m_model / name, "this shard is missing; download it into the folder");
        }
        m_files.push_back(std::make_unique<const SafetensorsFile>(m_model / name));
        for (const std::string& tensor : tensors) {
            if (!m_files.back()->tensors().contains(tensor)) {
                throwUnreadable(m_model / name,
                                "tensor " + tensor + ", which " + kIndexFile +
                                    " places here, is missing; index and shards belong to different models");
            }
        }
    }
}

std::optional<Weights::Found> Weights::find(const std::string& name) const {
    for (const auto& file : m_files) {
        const auto found = file->tensors().find(name);
        if (found != file->tensors().end()) {
            return Found{file.get(), &found->second};
        }
    }
    return std::nullopt;
}

Weights::Found Weights::checked(const std::string& name, at::IntArrayRef shape) const {
    const std::optional<Found> found = find(name);
    if (!found) {
        throwUnreadable(m_model, "tensor " + name + " is missing from the weights");
    }
    const StoredTensor& stored = *found->tensor;
    if (!c10::isFloatingType(stored.type)) {
        throwUnreadable(found->file->path(), "tensor " + name + " does not hold floating-point numbers");
    }
    if (at::IntArrayRef(stored.shape) != shape) {
        throwUnreadable(found->file->path(), "tensor " + name + " is " + shapeText(stored.shape) +
                                                 ", the configuration asks for " + shapeText(shape.vec()));
    }
    return *found;
}

void Weights::check(const std::string& name, at::IntArrayRef shape) const {
    checked(name, shape);
}

void Weights::copyTo(const std::string& name, at::Tensor destination) const {
    const auto [file, stored] = checked(name, destination.sizes());
    at::Tensor flat = destination.view(-1);
    for (std::int64_t first = 0; first < flat.numel(); first += kPartElements) {
        at::Tensor part = flat.narrow(0, first, std::min(kPartElements, flat.numel() - first));
        const std::int64_t bytes = copyPart(*stored, first, part);
        if (!at::isfinite(part).all().item<bool>()) {
            throwUnreadable(file->path(), "tensor " + name + " holds NaN or infinity (" + stored->typeName() + " as " +
                                              dtypeName(part.scalar_type()) +
                                              "); the file is damaged or its numbers do not fit that type");
        }
        if (m_onCopied) {
            m_onCopied(bytes);
        }
    }
}

std::vector<std::filesystem::path> Weights::files() const {
    std::vector<std::filesystem::path> paths;
    for (const auto& file : m_files) {
        paths.push_back(file->path());
    }
    return paths;
}

template <typename Function>
void Weights::forEach(Function function) const {
    for (const auto& file : m_files) {
        for (const auto& [name, tensor] : file->tensors()) {
            function(tensor);
        }
    }
}

std::int64_t Weights::bytes() const {
    std::int64_t sum = 0;
    forEach([&](const StoredTensor& tensor) { sum += static_cast<std::int64_t>(tensor.bytes.size()); });
    return sum;
}

std::int64_t Weights::parameters() const {
    std::int64_t sum = 0;
    forEach([&](const StoredTensor& tensor) { sum += tensor.elements(); });
    return sum;
}

std::string Weights::storedType() const {
    std::map<std::string, std::size_t> bytes;
    forEach([&](const StoredTensor& tensor) {
        if (c10::isFloatingType(tensor.type)) {
            bytes[tensor.typeName()] += tensor.bytes.size();
        }
    });
    const auto most =
        std::max_element(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == bytes.end()) {
        throwUnreadable(m_model, "the weights hold no floating-point tensor");
    }
    return most->first;
}

}  // namespace kvist
