// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cpu/attention_cpu.h"

#include "engine/kernels/cpu/attention_tile.h"
#include "engine/kernels/cpu/scratch.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <vector>

namespace kvist::kernels {

namespace {

/// Multiplications and additions that are worth a thread.
constexpr std::int64_t kWorkOfThread = 200'000;

std::int64_t blocksOf(std::int64_t slots) {
    return (slots + kSlotBlock - 1) / kSlotBlock;
}

const void* at(const at::Tensor& tensor, std::int64_t offset) {
    return static_cast<const char*>(tensor.const_data_ptr()) + offset * tensor.element_size();
}

/// One call, tile by tile.
class TiledAttention {
public:
    TiledAttention(const AttentionCall& call, const CpuKernels& kernels);
    AttentionResult run();

private:
    struct HeadPieces {
        std::int64_t first = 0;
        std::int64_t count = 0;
    };

    std::int64_t queriesPerTile() const;
    void attendTile(const AttentionTile& tile);
    void cutIntoPieces(const AttentionTile& tile);
    void assignScratch(std::int64_t rows);
    void finishHeads(const AttentionTile& tile);

    const AttentionCall& m_call;
    const CpuKernels& m_kernels;
    const std::int64_t m_chunk;
    const std::int64_t m_kvHeads;
    const std::int64_t m_group;
    const std::int64_t m_headDim;
    std::int64_t m_longest = 0;
    std::int64_t m_total = 0;  // slots of all heads
    AttentionResult m_result;

    std::vector<AttentionPiece> m_pieces;     // by head, then by slot
    std::vector<std::int64_t> m_firstPieces;  // of each thread, and the end
    std::vector<HeadPieces> m_heads;
    float* m_maximum = nullptr;  // [kv_heads, rows] of the tile
    float* m_reciprocal = nullptr;
};

thread_local Scratch t_scratch;

TiledAttention::TiledAttention(const AttentionCall& call, const CpuKernels& kernels)
    : m_call(call),
      m_kernels(kernels),
      m_chunk(call.queries.size(0)),
      m_kvHeads(call.keys.size(0)),
      m_group(call.queries.size(1) / call.keys.size(0)),
      m_headDim(call.queries.size(2)),
      m_heads(static_cast<std::size_t>(m_kvHeads)) {
    for (const std::int64_t held : call.held) {
        m_longest = std::max(m_longest, held + m_chunk);
        m_total += held + m_chunk;
    }
    m_result.context = at::empty({m_chunk, m_group * m_kvHeads * m_headDim}, call.queries.options());
    if (call.wantsMass)
        m_result.mass = at::zeros({m_kvHeads, m_longest}, call.queries.options().dtype(at::kFloat));
}

std::int64_t TiledAttention::queriesPerTile() const {
    std::int64_t rows = kTileRows;
    if (m_call.wantsMass)
        rows = std::min(rows, kKeptProbabilities * at::get_num_threads() / std::max<std::int64_t>(m_total, 1));
    return std::clamp<std::int64_t>(rows / m_group, 1, m_chunk);
}

AttentionResult TiledAttention::run() {
    const std::int64_t step = queriesPerTile();
    for (std::int64_t first = 0; first < m_chunk; first += step)
        attendTile({m_call.queries, m_kvHeads, first, std::min(step, m_chunk - first)});
    return std::move(m_result);
}

void TiledAttention::attendTile(const AttentionTile& tile) {
    cutIntoPieces(tile);
    assignScratch(tile.rows());
    const auto threads = static_cast<std::int64_t>(m_firstPieces.size()) - 1;
    const auto forPieces = [&](auto work) {
        at::parallel_for(0, threads, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t p = m_firstPieces[begin]; p < m_firstPieces[end]; ++p)
                work(m_pieces[p]);
        });
    };

    forPieces([&](const AttentionPiece& piece) { m_kernels.attendPiece(piece); });
    finishHeads(tile);
    if (!m_call.wantsMass)
        return;
    float* mass = m_result.mass.mutable_data_ptr<float>();
    forPieces([&](const AttentionPiece& piece) {
        const std::int64_t head = piece.head;
        const std::int64_t row = head * tile.rows();
        m_kernels.addMass(piece, m_maximum + row, m_reciprocal + row, mass + head * m_longest);
    });
}

/// Lays the blocks of all heads in a line and cuts it into equal shares, one for each thread.
void TiledAttention::cutIntoPieces(const AttentionTile& tile) {
    const std::int64_t seen = tile.first + tile.count;  // of the chunk
    std::int64_t blocks = 0;
    for (const std::int64_t held : m_call.held)
        blocks += blocksOf(held + seen);
    const std::int64_t work = blocks * kSlotBlock * tile.rows() * m_headDim * 4;
    const std::int64_t threads =
        std::clamp<std::int64_t>(std::min(work / kWorkOfThread, blocks), 1, at::get_num_threads());

    m_pieces.clear();
    m_firstPieces.assign(1, 0);
    std::int64_t before = 0;  // blocks of earlier heads
    for (std::int64_t head = 0; head < m_kvHeads; ++head) {
        const std::int64_t held = m_call.held[head];
        const std::int64_t slots = held + seen;
        const std::int64_t ownBlocks = blocksOf(slots);
        m_heads[head].first = static_cast<std::int64_t>(m_pieces.size());
        for (std::int64_t begin = 0; begin < ownBlocks;) {
            const auto thread = static_cast<std::int64_t>(m_firstPieces.size());  // whose share ends next
            const std::int64_t shareEnd = blocks * thread / threads - before;
            const std::int64_t end = std::min(ownBlocks, shareEnd);
            AttentionPiece piece = tile.piece(head, m_call.scale);
            piece.storedType = *cpuElement(m_call.keys);
            piece.keys = at(m_call.keys, head * m_call.keys.stride(0));
            piece.values = at(m_call.values, head * m_call.values.stride(0));
            piece.keyStride = m_call.keys.stride(1);
            piece.valueStride = m_call.values.stride(1);
            piece.begin = begin * kSlotBlock;
            piece.end = std::min(slots, end * kSlotBlock);
            piece.visible = held + tile.first + 1;
            m_pieces.push_back(piece);
            if (end == shareEnd)
                m_firstPieces.push_back(static_cast<std::int64_t>(m_pieces.size()));
            begin = end;
        }
        m_heads[head].count = static_cast<std::int64_t>(m_pieces.size()) - m_heads[head].first;
        before += ownBlocks;
    }
}

void TiledAttention::assignScratch(std::int64_t rows) {
    float* base = nullptr;
    std::int64_t used = 0;
    const auto take = [&](std::int64_t count) {
        float* memory = base ? base + used : nullptr;
        used += inCacheLines(count);
        return memory;
    };
    const auto assign = [&] {
        used = 0;
        m_maximum = take(m_kvHeads * rows);
        m_reciprocal = take(m_kvHeads * rows);
        for (AttentionPiece& piece : m_pieces) {
            const std::int64_t blocks = blocksOf(piece.end - piece.begin);
            piece.output = take(rows * paddedHeadDim(m_headDim));
            piece.maximum = take(rows);
            piece.sum = take(rows);
            piece.scratch = take(attentionScratch(m_headDim, rows));
            if (m_call.wantsMass) {
                piece.probabilities = take(blocks * rows * kSlotBlock);
                piece.blockMaximum = take(blocks * rows);
            }
        }
    };
    assign();
    base = t_scratch.floats(static_cast<std::size_t>(used));
    assign();
}

void TiledAttention::finishHeads(const AttentionTile& tile) {
    constexpr std::int64_t kRowsOfThread = 128;
    const std::int64_t rows = tile.rows();
    at::parallel_for(0, m_kvHeads * rows, kRowsOfThread, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t head = begin / rows; head * rows < end; ++head) {
            AttentionFinish finish =
                tile.finish(head, m_pieces.data() + m_heads[head].first, m_heads[head].count, m_result.context);
            finish.rowBegin = std::max<std::int64_t>(begin - head * rows, 0);
            finish.rowEnd = std::min(end - head * rows, rows);
            finish.maximum = m_maximum + head * rows;
            finish.reciprocal = m_reciprocal + head * rows;
            m_kernels.finishAttention(finish);
        }
    });
}

}  // namespace

bool hasCpuAttention(const AttentionCall& call) {
    const auto stored = cpuElement(call.keys);
    return cpuElement(call.queries) && stored && stored == cpuElement(call.values) && call.queries.stride(2) == 1 &&
           call.keys.stride(2) == 1 && call.values.stride(2) == 1;
}

AttentionResult attentionCpu(const AttentionCall& call, const CpuKernels& kernels) {
    return TiledAttention(call, kernels).run();
}

}  // namespace kvist::kernels
