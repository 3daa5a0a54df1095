// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/files/gguf_file.h"

#include <bit>
#include <limits>
#include <optional>

#include "engine/api/engine_error.h"
#include "engine/files/block_format.h"
#include "engine/files/file_kind.h"
#include "engine/files/gguf_cursor.h"
#include "engine/runtime/file_bytes.h"

namespace kvist {
namespace {

constexpr std::uint64_t kMostDimensions = 4;
constexpr std::int64_t kDefaultAlignment = 32;

/// A line of the tensor table.
struct Entry {
    std::string name;
    StoredTensor tensor;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

std::optional<at::ScalarType> plainType(std::uint32_t number) {
    static const std::map<std::uint32_t, at::ScalarType> types = {
        {0, at::kFloat}, {1, at::kHalf},  {24, at::kChar},   {25, at::kShort},
        {26, at::kInt},  {27, at::kLong}, {28, at::kDouble}, {30, at::kBFloat16}};
    const auto found = types.find(number);
    return found == types.end() ? std::nullopt : std::optional(found->second);
}

void checkVersion(GgufCursor& cursor) {
    const auto version = cursor.number<std::uint32_t>();
    if (version == 2 || version == 3) {
        return;
    }
    const bool isSwapped = (version & 0xFFFF) == 0;
    cursor.fail(isSwapped ? std::string("the file is big-endian; convert it with gguf-convert-endian")
                          : "version " + std::to_string(version) + " of the format; versions 2 and 3 are read");
}

/// Type and bytes of a tensor of the shape that is set.
void setType(const GgufCursor& cursor, const std::filesystem::path& path, std::uint32_t number, Entry& entry) {
    StoredTensor& tensor = entry.tensor;
    std::int64_t unit = 1;
    const auto plain = plainType(number);
    tensor.blocks = plain ? nullptr : blockFormat(number);
    if (!plain && (tensor.blocks == nullptr || tensor.blocks->decode == nullptr)) {
        throw EngineError(ErrorKind::UnsupportedModel,
                          path.string() + ": tensor " + entry.name + " is stored as " +
                              (tensor.blocks != nullptr ? tensor.blocks->name : "type " + std::to_string(number)) +
                              ", which this version does not read; choose a file in " + readableBlockFormats());
    }
    entry.size = plain ? c10::elementSize(*plain) : static_cast<std::uint64_t>(tensor.blocks->bytes);
    tensor.type = plain.value_or(at::kFloat);
    if (tensor.blocks != nullptr) {
        unit = tensor.blocks->elements;
        if (tensor.shape.empty() || tensor.shape.back() % unit != 0) {
            cursor.fail("rows of " + std::to_string(tensor.shape.empty() ? 0 : tensor.shape.back()) +
                        " elements are no whole blocks of " + tensor.blocks->name);
        }
    }
    std::uint64_t elements = 1;
    for (const std::int64_t extent : tensor.shape) {
        if (__builtin_mul_overflow(elements, static_cast<std::uint64_t>(extent), &elements)) {
            cursor.fail("the shape is larger than any memory");
        }
    }
    if (__builtin_mul_overflow(elements / static_cast<std::uint64_t>(unit), entry.size, &entry.size) ||
        elements > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        cursor.fail("the shape is larger than any memory");
    }
}

Entry readEntry(GgufCursor& cursor, const std::filesystem::path& path, std::uint64_t index) {
    Entry entry;
    cursor.setPlace("tensor " + std::to_string(index + 1));
    entry.name = cursor.name();
    cursor.setPlace("tensor " + entry.name);
    const auto dimensions = cursor.number<std::uint32_t>();
    if (dimensions > kMostDimensions) {
        cursor.fail(std::to_string(dimensions) + " dimensions; at most 4 can be");
    }
    entry.tensor.shape.resize(dimensions);
    for (std::size_t i = dimensions; i > 0; --i) {  // the file has the innermost first
        const auto extent = cursor.number<std::uint64_t>();
        if (extent > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            cursor.fail("an extent of " + std::to_string(extent));
        }
        entry.tensor.shape[i - 1] = static_cast<std::int64_t>(extent);
    }
    const auto type = cursor.number<std::uint32_t>();
    entry.offset = cursor.number<std::uint64_t>();
    setType(cursor, path, type, entry);
    return entry;
}

}  // namespace

GgufFile::GgufFile(const std::filesystem::path& path) : m_file(path), m_metadata(path) {
    GgufCursor cursor(path, m_file.bytes());
    if (fileKind(path) != FileKind::Gguf) {
        throwUnreadable(path, "no GGUF file but " + describeFile(path));
    }
    cursor.number<std::uint32_t>();  // "GGUF"
    checkVersion(cursor);
    constexpr std::size_t kLeastTensor = 24;
    constexpr std::size_t kLeastValue = 13;
    cursor.setPlace("the number of tensors");
    const std::uint64_t tensors = cursor.count(kLeastTensor);
    cursor.setPlace("the number of metadata values");
    const std::uint64_t values = cursor.count(kLeastValue);
    for (std::uint64_t i = 0; i < values; ++i) {
        cursor.setPlace("metadata " + std::to_string(i + 1));
        const std::string key = cursor.name();
        cursor.setPlace("metadata \"" + key + "\"");
        m_metadata.add(key, cursor.value(cursor.number<std::uint32_t>()));
    }
    const std::int64_t alignment = m_metadata.wholeNumber("general.alignment").value_or(kDefaultAlignment);
    if (alignment < 1 || alignment > (1 << 20) || !std::has_single_bit(static_cast<std::uint64_t>(alignment))) {
        m_metadata.fail("general.alignment", "is " + std::to_string(alignment) + "; expected a power of two");
    }
    std::vector<Entry> entries;
    entries.reserve(tensors);
    for (std::uint64_t i = 0; i < tensors; ++i) {
        entries.push_back(readEntry(cursor, path, i));
    }
    const auto step = static_cast<std::size_t>(alignment);
    const std::size_t begin = std::min((cursor.position() + step - 1) / step * step, m_file.bytes().size());
    const auto data = m_file.bytes().subspan(begin);
    for (Entry& entry : entries) {
        cursor.setPlace("tensor " + entry.name);
        if (entry.offset % step != 0) {
            cursor.fail("offset " + std::to_string(entry.offset) + " is no multiple of " + std::to_string(step));
        }
        if (entry.offset > data.size() || entry.size > data.size() - entry.offset) {
            cursor.fail("takes " + std::to_string(entry.size) + " bytes from " + std::to_string(entry.offset) + " of " +
                        std::to_string(data.size()) + "; the file is truncated or damaged, download it again");
        }
        entry.tensor.bytes = data.subspan(entry.offset, entry.size);
        if (!m_tensors.emplace(huggingFaceName(entry.name), entry.tensor).second) {
            cursor.fail("is given twice; the file is damaged");
        }
    }
    checkOverlaps(path, m_tensors);
}

std::string huggingFaceName(const std::string& name) {
    static const std::map<std::string, std::string> whole = {{"token_embd.weight", "model.embed_tokens.weight"},
                                                             {"output_norm.weight", "model.norm.weight"},
                                                             {"output.weight", "lm_head.weight"}};
    static const std::map<std::string, std::string> parts = {
        {"attn_norm", "input_layernorm"}, {"ffn_norm", "post_attention_layernorm"},
        {"attn_q", "self_attn.q_proj"},   {"attn_k", "self_attn.k_proj"},
        {"attn_v", "self_attn.v_proj"},   {"attn_output", "self_attn.o_proj"},
        {"ffn_gate", "mlp.gate_proj"},    {"ffn_up", "mlp.up_proj"},
        {"ffn_down", "mlp.down_proj"}};
    if (const auto found = whole.find(name); found != whole.end()) {
        return found->second;
    }
    if (!name.starts_with("blk.")) {
        return name;
    }
    const std::size_t layerEnd = name.find('.', 4);
    const std::size_t partEnd = name.rfind('.');
    if (layerEnd == std::string::npos || partEnd <= layerEnd) {
        return name;
    }
    const auto part = parts.find(name.substr(layerEnd + 1, partEnd - layerEnd - 1));
    return part == parts.end()
               ? name
               : "model.layers." + name.substr(4, layerEnd - 4) + "." + part->second + name.substr(partEnd);
}

}  // namespace kvist
