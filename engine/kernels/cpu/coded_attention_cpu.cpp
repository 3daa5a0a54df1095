// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cpu/coded_attention_cpu.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "engine/kernels/cpu/attention_tile.h"
#include "engine/kernels/cpu/scratch.h"

namespace kvist::kernels {

namespace {

/// Blocks of a piece at least, so that threads are worth their start.
constexpr std::int64_t kLeastBlocks = 4;

thread_local Scratch t_scratch;

/// One tile of queries over all heads.
class CodedTile {
public:
    CodedTile(const CodedAttentionCall& call, const CpuKernels& kernels, std::int64_t first, std::int64_t count)
        : m_call(call),
          m_kernels(kernels),
          m_kvHeads(static_cast<std::int64_t>(call.heads.size())),
          m_tile{call.queries, m_kvHeads, first, count} {}

    void attend(AttentionResult& result) {
        cutIntoPieces();
        assignScratch();
        at::parallel_for(0, static_cast<std::int64_t>(m_pieces.size()), 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t p = begin; p < end; ++p) {
                m_kernels.attendCodedPiece(m_pieces[static_cast<std::size_t>(p)]);
            }
        });
        finish(result.context);
        if (m_call.wantsMass) {
            addMass(result.mass);
        }
    }

private:
    std::int64_t rows() const { return m_tile.rows(); }

    /// Each head's blocks that the tile sees, in as many pieces as threads can take.
    void cutIntoPieces() {
        const std::int64_t threads = at::get_num_threads();
        const std::int64_t perHead = std::max<std::int64_t>(1, (threads + m_kvHeads - 1) / m_kvHeads);
        for (std::int64_t head = 0; head < m_kvHeads; ++head) {
            const CodedHead& own = m_call.heads[static_cast<std::size_t>(head)];
            const std::int64_t visible = own.visible + m_tile.first;
            const auto seen = std::partition_point(own.blocks.begin(), own.blocks.end(), [&](const CodedBlock& block) {
                return block.first < visible + m_tile.count - 1;
            });
            const auto blocks = static_cast<std::int64_t>(seen - own.blocks.begin());
            const std::int64_t size = std::max((blocks + perHead - 1) / perHead, kLeastBlocks);
            m_firstPieces.push_back(m_pieces.size());
            for (std::int64_t begin = 0; begin < blocks; begin += size) {
                addPiece(head, visible, own.blocks.data() + begin, std::min(size, blocks - begin));
            }
        }
        m_firstPieces.push_back(m_pieces.size());
    }

    void addPiece(std::int64_t head, std::int64_t visible, const CodedBlock* blocks, std::int64_t count) {
        AttentionPiece base = m_tile.piece(head, m_call.scale);
        base.storedType = m_call.stored;
        base.keyStride = m_call.keyStride;
        base.valueStride = m_call.valueStride;
        base.visible = visible;
        const CodedHead& own = m_call.heads[static_cast<std::size_t>(head)];
        m_pieces.push_back({base, blocks, count, m_call.groupBits, m_call.keyRows, m_call.valueRows});
        m_pieces.back().keyRows.codes = own.keyCodes;
        m_pieces.back().valueRows.codes = own.valueCodes;
    }

    void assignScratch() {
        const std::int64_t output = inCacheLines(rows() * paddedHeadDim(m_tile.headDim()));
        const std::int64_t row = inCacheLines(rows());
        const std::int64_t scratch = inCacheLines(attentionScratch(m_tile.headDim(), rows()));
        const auto pieces = static_cast<std::int64_t>(m_pieces.size());
        std::int64_t kept = 0;
        for (const CodedAttentionPiece& piece : m_pieces) {
            kept += m_call.wantsMass ? inCacheLines(piece.blockCount * rows() * (kSlotBlock + 1)) : 0;
        }
        float* next = t_scratch.floats(
            static_cast<std::size_t>(2 * m_kvHeads * row + pieces * (output + 2 * row + scratch) + kept));
        m_maximum = next;
        m_reciprocal = next + m_kvHeads * row;
        next += 2 * m_kvHeads * row;
        for (CodedAttentionPiece& piece : m_pieces) {
            piece.base.output = next;
            piece.base.maximum = next + output;
            piece.base.sum = next + output + row;
            piece.base.scratch = next + output + 2 * row;
            next += output + 2 * row + scratch;
            if (m_call.wantsMass) {
                piece.base.probabilities = next;
                piece.base.blockMaximum = next + piece.blockCount * rows() * kSlotBlock;
                next += inCacheLines(piece.blockCount * rows() * (kSlotBlock + 1));
            }
        }
    }

    void addMass(const at::Tensor& mass) {
        const std::int64_t row = inCacheLines(rows());
        at::parallel_for(0, static_cast<std::int64_t>(m_pieces.size()), 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t p = begin; p < end; ++p) {
                const CodedAttentionPiece& piece = m_pieces[static_cast<std::size_t>(p)];
                const std::int64_t head = piece.base.head;
                for (std::int64_t b = 0; b < piece.blockCount; ++b) {
                    AttentionPiece block = piece.base;
                    block.begin = piece.blocks[b].first;
                    block.end = block.begin + piece.blocks[b].count;
                    block.probabilities += b * rows() * kSlotBlock;
                    block.blockMaximum += b * rows();
                    m_kernels.addMass(block, m_maximum + head * row, m_reciprocal + head * row,
                                      mass.mutable_data_ptr<float>() + head * mass.size(1));
                }
            }
        });
    }

    void finish(const at::Tensor& context) {
        const std::int64_t row = inCacheLines(rows());
        std::vector<AttentionPiece> pieces;
        for (const CodedAttentionPiece& piece : m_pieces) {
            pieces.push_back(piece.base);
        }
        for (std::int64_t head = 0; head < m_kvHeads; ++head) {
            const std::size_t begin = m_firstPieces[static_cast<std::size_t>(head)];
            const std::size_t end = m_firstPieces[static_cast<std::size_t>(head) + 1];
            AttentionFinish job =
                m_tile.finish(head, pieces.data() + begin, static_cast<std::int64_t>(end - begin), context);
            job.rowEnd = rows();
            job.maximum = m_maximum + head * row;
            job.reciprocal = m_reciprocal + head * row;
            m_kernels.finishAttention(job);
        }
    }

    const CodedAttentionCall& m_call;
    const CpuKernels& m_kernels;
    const std::int64_t m_kvHeads;
    const AttentionTile m_tile;
    std::vector<CodedAttentionPiece> m_pieces;
    std::vector<std::size_t> m_firstPieces;
    float* m_maximum = nullptr;
    float* m_reciprocal = nullptr;
};

}  // namespace

AttentionResult codedAttentionCpu(const CodedAttentionCall& call, const CpuKernels& kernels) {
    const std::int64_t chunk = call.queries.size(0);
    const std::int64_t heads = call.queries.size(1);
    const std::int64_t group = heads / static_cast<std::int64_t>(call.heads.size());
    AttentionResult result;
    result.context = at::empty({chunk, heads * call.queries.size(2)}, call.queries.options());
    std::int64_t rows = kTileRows;
    if (call.wantsMass) {
        std::int64_t longest = 0;
        std::int64_t blocks = 1;
        for (const CodedHead& head : call.heads) {
            longest = std::max(longest, head.visible + chunk - 1);
            blocks += static_cast<std::int64_t>(head.blocks.size());
        }
        result.mass = at::zeros({static_cast<std::int64_t>(call.heads.size()), longest},
                                call.queries.options().dtype(at::kFloat));
        rows = std::min(rows, kKeptProbabilities / (blocks * kSlotBlock));
    }
    const std::int64_t step = std::clamp<std::int64_t>(rows / group, 1, chunk);
    for (std::int64_t first = 0; first < chunk; first += step) {
        CodedTile(call, kernels, first, std::min(step, chunk - first)).attend(result);
    }
    return result;
}

}  // namespace kvist::kernels
