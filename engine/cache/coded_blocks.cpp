// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/coded_blocks.h"

#include <ATen/ops/matmul.h>

#include <algorithm>
#include <cmath>

#include "engine/cache/codecs/channel_codec.h"
#include "engine/cache/codecs/rotation_codec.h"
#include "engine/cache/codecs/token_codec.h"
#include "engine/kernels/cpu/tensor_element.h"

namespace kvist {
namespace {

using kernels::CodedBlock;
using kernels::kCodedGroup;
using kernels::kSlotBlock;

/// Bits of keys in groups, 8 where all are plain; nothing where the form is another one.
std::optional<int> groupBits(const CodedRows& keys) {
    if (keys.groups() == nullptr) {
        return 8;
    }
    const auto* codec = dynamic_cast<const ChannelCodec*>(&keys.groups()->codec());
    return codec != nullptr && codec->groupRows() == kCodedGroup ? std::optional(codec->bits()) : std::nullopt;
}

/// Rows with scales and minima, of any head; eight bits where all are plain.
std::optional<kernels::RowCodes> scaledRows(const CodedRows& rows) {
    if (rows.groups() == nullptr) {
        return kernels::RowCodes{nullptr, 0, 8, nullptr};
    }
    const auto* codec = dynamic_cast<const TokenCodec*>(&rows.groups()->codec());
    return codec != nullptr && codec->groupChannels() == kCodedGroup
               ? std::optional(kernels::RowCodes{nullptr, codec->groupBytes(), codec->bits(), nullptr})
               : std::nullopt;
}

/// Rows with a table, of any head.
std::optional<kernels::RowCodes> turnedRows(const CodedRows& rows) {
    const auto* codec =
        rows.groups() == nullptr ? nullptr : dynamic_cast<const RotationCodec*>(&rows.groups()->codec());
    return codec != nullptr && codec->basis().size(0) % 64 == 0
               ? std::optional(kernels::RowCodes{nullptr, codec->groupBytes(), codec->bits(), codec->table().data()})
               : std::nullopt;
}

const char* tailRow(const CodedRows& rows, std::int64_t head, std::int64_t row) {
    const at::Tensor& tail = rows.tail();
    return static_cast<const char*>(tail.const_data_ptr()) +
           (head * tail.stride(0) + row * tail.stride(1)) * static_cast<std::int64_t>(tail.element_size());
}

/// Which rows of its group a run's entries are.
std::uint32_t rowsOf(const CodedGroups& groups, std::size_t set, const CodedGroups::Run& run) {
    if (run.count == kCodedGroup) {
        return ~std::uint32_t{0};
    }
    std::uint32_t rows = 0;
    for (std::int64_t entry = run.first; entry < run.first + run.count; ++entry) {
        rows |= std::uint32_t{1} << static_cast<unsigned>(groups.rowOf(set, entry));
    }
    return rows;
}

/// Where the plain rows of one head begin.
struct Tail {
    const char* rows;
    std::int64_t rowBytes;

    const char* row(std::int64_t index) const { return rows + index * rowBytes; }
};

Tail tailOf(const CodedRows& rows, std::int64_t head) {
    const auto bytes = rows.tail().stride(1) * static_cast<std::int64_t>(rows.tail().element_size());
    return {tailRow(rows, head, 0), bytes};
}

/// The same turned into the codec's basis, in float32; `held` keeps it.
Tail turnedTailOf(const CodedRows& rows, std::size_t set, std::int64_t head, std::vector<at::Tensor>& held) {
    const at::Tensor tail = rows.tail().select(0, head).narrow(0, 0, rows.tailCount(set)).to(at::kFloat);
    held.push_back(at::matmul(tail, rows.basis().t()));
    return {static_cast<const char*>(held.back().const_data_ptr()),
            tail.size(1) * static_cast<std::int64_t>(sizeof(float))};
}

std::int64_t blocksOf(std::int64_t entries) {
    return (entries + kSlotBlock - 1) / kSlotBlock;
}

/// Blocks of one head over keys in groups, which `runs` are, and behind them over plain keys.
std::vector<CodedBlock> groupedBlocks(const CodedRows& keys, std::span<const CodedGroups::Run> runs, std::size_t set,
                                      std::int64_t head) {
    std::vector<CodedBlock> blocks;
    blocks.reserve((runs.size() + 1) / 2 + static_cast<std::size_t>(blocksOf(keys.tailCount(set))));
    if (const CodedGroups* groups = keys.groups()) {
        for (std::size_t i = 0; i < runs.size(); i += 2) {
            CodedBlock block{};
            block.first = runs[i].first;
            for (std::size_t g = 0; g < 2 && i + g < runs.size(); ++g) {
                block.count += runs[i + g].count;
                block.keyGroups[g] = groups->bytes(head, runs[i + g].slot);
                block.keyRows[g] = rowsOf(*groups, set, runs[i + g]);
            }
            blocks.push_back(block);
        }
    }
    const std::int64_t coded = keys.codedCount(set);
    for (std::int64_t row = 0; row < keys.tailCount(set); row += kSlotBlock) {
        CodedBlock block{};
        block.first = coded + row;
        block.count = std::min(kSlotBlock, keys.tailCount(set) - row);
        block.keys = tailOf(keys, head).row(row);
        blocks.push_back(block);
    }
    return blocks;
}

/// Blocks of one head over keys coded one by one, and plain ones.
std::vector<CodedBlock> rowBlocks(const CodedRows& keys, std::size_t set, const Tail& tail) {
    std::vector<CodedBlock> blocks;
    blocks.reserve(static_cast<std::size_t>(blocksOf(keys.count(set))));
    const std::int64_t coded = keys.codedCount(set);
    for (std::int64_t first = 0; first < keys.count(set); first += kSlotBlock) {
        CodedBlock block{};
        block.first = first;
        block.count = std::min(kSlotBlock, keys.count(set) - first);
        block.codedKeys = std::clamp<std::int64_t>(coded - first, 0, block.count);
        block.keySlots = keys.groups()->places(set).data() + std::min(first, coded);
        block.keys = tail.row(std::max<std::int64_t>(first - coded, 0));
        blocks.push_back(block);
    }
    return blocks;
}

void addValues(std::vector<CodedBlock>& blocks, const CodedRows& values, std::size_t set, const Tail& tail) {
    const std::int64_t coded = values.codedCount(set);
    for (CodedBlock& block : blocks) {
        block.codedValues = std::clamp<std::int64_t>(coded - block.first, 0, block.count);
        if (block.codedValues > 0) {
            block.valueSlots = values.groups()->places(set).data() + block.first;
        }
        block.values = tail.row(std::max<std::int64_t>(block.first - coded, 0));
    }
}

const std::byte* firstSlot(const CodedRows& rows, std::int64_t head) {
    return rows.groups() == nullptr ? nullptr : rows.groups()->bytes(head, 0);
}

}  // namespace

std::optional<kernels::CodedAttentionCall> codedBlocks(const LayerCache& cache, const at::Tensor& queries,
                                                       std::span<const std::int64_t> held) {
    const CodedRows& keys = cache.codedKeys();
    const CodedRows& values = cache.codedValues();
    const auto stored = kernels::cpuElement(keys.tail());
    if (!stored || !kernels::cpuElement(queries) || queries.stride(2) != 1 || queries.size(2) % kCodedGroup != 0) {
        return std::nullopt;
    }
    const auto turnedKeys = turnedRows(keys);
    const auto turnedValues = turnedRows(values);
    const bool isTurned = turnedKeys && turnedValues;
    const auto bits = groupBits(keys);
    const auto scaled = scaledRows(values);
    if (!isTurned && (!bits || !scaled)) {
        return std::nullopt;
    }
    kernels::CodedAttentionCall call;
    call.queries = isTurned ? at::matmul(queries.to(at::kFloat), keys.basis().t()) : queries;
    call.stored = isTurned ? kernels::Element::Float32 : *stored;
    call.keyStride = isTurned ? queries.size(2) : keys.tail().stride(1);
    call.valueStride = isTurned ? queries.size(2) : values.tail().stride(1);
    call.groupBits = isTurned ? 8 : *bits;
    call.keyRows = isTurned ? *turnedKeys : kernels::RowCodes{};
    call.valueRows = isTurned ? *turnedValues : *scaled;
    call.scale = 1.0 / std::sqrt(static_cast<double>(queries.size(2)));
    const std::size_t headsPerSet = held.size() / cache.indexes();
    std::vector<CodedGroups::Run> runs;  // of the set's keys
    for (std::size_t index = 0; index < held.size(); ++index) {
        const std::size_t set = index / headsPerSet;
        const auto head = static_cast<std::int64_t>(index);
        if (keys.groups() != nullptr && !isTurned && index % headsPerSet == 0) {
            runs = keys.groups()->runs(set);
        }
        kernels::CodedHead own;
        own.visible = held[index] + 1;
        own.blocks = isTurned ? rowBlocks(keys, set, turnedTailOf(keys, set, head, call.held))
                              : groupedBlocks(keys, runs, set, head);
        addValues(own.blocks, values, set,
                  isTurned ? turnedTailOf(values, set, head, call.held) : tailOf(values, head));
        own.keyCodes = firstSlot(keys, head);
        own.valueCodes = firstSlot(values, head);
        call.heads.push_back(std::move(own));
    }
    return call;
}

}  // namespace kvist
