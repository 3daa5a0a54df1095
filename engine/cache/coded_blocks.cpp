// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/coded_blocks.h"

#include <algorithm>
#include <cmath>

#include "engine/cache/codecs/channel_codec.h"
#include "engine/cache/codecs/token_codec.h"
#include "engine/kernels/cpu/tensor_element.h"

namespace kvist {
namespace {

using kernels::CodedBlock;
using kernels::kCodedGroup;
using kernels::kSlotBlock;

/// Bits of coded keys, 8 where all are plain; nothing where the form is another one.
std::optional<int> keyBits(const CodedRows& keys) {
    if (keys.groups() == nullptr) {
        return 8;
    }
    const auto* codec = dynamic_cast<const ChannelCodec*>(&keys.groups()->codec());
    return codec != nullptr && codec->groupRows() == kCodedGroup ? std::optional(codec->bits()) : std::nullopt;
}

std::optional<int> valueBits(const CodedRows& values) {
    if (values.groups() == nullptr) {
        return 8;
    }
    const auto* codec = dynamic_cast<const TokenCodec*>(&values.groups()->codec());
    return codec != nullptr && codec->groupChannels() == kCodedGroup ? std::optional(codec->bits()) : std::nullopt;
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

/// Blocks of one head, keys only.
std::vector<CodedBlock> keyBlocks(const CodedRows& keys, std::size_t set, std::int64_t head) {
    std::vector<CodedBlock> blocks;
    if (const CodedGroups* groups = keys.groups()) {
        const auto runs = groups->runs(set);
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
        block.keys = tailRow(keys, head, row);
        blocks.push_back(block);
    }
    return blocks;
}

void addValues(std::vector<CodedBlock>& blocks, const CodedRows& values, std::size_t set, std::int64_t head) {
    const std::int64_t coded = values.codedCount(set);
    for (CodedBlock& block : blocks) {
        block.codedValues = std::clamp<std::int64_t>(coded - block.first, 0, block.count);
        if (block.codedValues > 0) {
            block.valueSlots = values.groups()->places(set).data() + block.first;
        }
        if (block.codedValues < block.count) {
            block.values = tailRow(values, head, std::max(block.first - coded, std::int64_t{0}));
        }
    }
}

}  // namespace

std::optional<kernels::CodedAttentionCall> codedBlocks(const LayerCache& cache, const at::Tensor& queries,
                                                       std::span<const std::int64_t> held) {
    const CodedRows& keys = cache.codedKeys();
    const CodedRows& values = cache.codedValues();
    const auto ofKeys = keyBits(keys);
    const auto ofValues = valueBits(values);
    const auto stored = kernels::cpuElement(keys.tail());
    if (!ofKeys || !ofValues || !stored || !kernels::cpuElement(queries) || queries.stride(2) != 1 ||
        queries.size(2) % kCodedGroup != 0) {
        return std::nullopt;
    }
    kernels::CodedAttentionCall call;
    call.queries = queries;
    call.stored = *stored;
    call.keyStride = keys.tail().stride(1);
    call.valueStride = values.tail().stride(1);
    call.keyBits = *ofKeys;
    call.valueBits = *ofValues;
    call.valueBytes = values.groups() == nullptr ? 0 : values.groups()->codec().groupBytes();
    call.scale = 1.0 / std::sqrt(static_cast<double>(queries.size(2)));
    const std::size_t headsPerSet = held.size() / cache.indexes();
    for (std::size_t head = 0; head < held.size(); ++head) {
        const std::size_t set = head / headsPerSet;
        kernels::CodedHead own;
        own.visible = held[head] + 1;
        own.blocks = keyBlocks(keys, set, static_cast<std::int64_t>(head));
        addValues(own.blocks, values, set, static_cast<std::int64_t>(head));
        if (values.groups() != nullptr) {
            own.valueCodes = values.groups()->bytes(static_cast<std::int64_t>(head), 0);
        }
        call.heads.push_back(std::move(own));
    }
    return call;
}

}  // namespace kvist
