// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "engine/cache/layer_cache.h"
#include "engine/kernels/attention.h"
#include "engine/model/rotary_embedding.h"

namespace kvist {

/// Attention with positions within the cache (Xiao et al. 2023, arXiv 2309.17453, section 3.2): the i-th of the held
/// entries stands at position i, whatever its place in the text. Keys stay stored as they came; a copy of one layer's
/// is turned for each reading and then given up, so that no error adds up. The copies are working memory, as is the
/// table of angles, which serves the layers of one pass.
class CompactPositions {
public:
    /// Attention of a chunk of queries [chunk, query_heads, head_dim], rotated at their places in the text, over what
    /// a layer holds for all heads alike; the chunk's own entries are the last ones. No probabilities are shown.
    kernels::AttentionResult attend(const LayerCache& cache, const at::Tensor& queries, const RotaryEmbedding& rotary);

    /// Gives the table back.
    void clear();

private:
    const RotaryAngles& turn(const EntryIndex& index, const RotaryEmbedding& rotary);

    std::vector<std::int64_t> m_positions;  // of the table's rows in the text
    RotaryAngles m_turn;                    // [entries, head_dim / 2]
};

}  // namespace kvist
