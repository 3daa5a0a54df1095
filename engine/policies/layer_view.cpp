// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/layer_view.h"

namespace kvist {

std::vector<float> LayerView::column(std::size_t set, std::size_t column, std::int64_t begin, std::int64_t end) const {
    const EntryIndex& index = m_cache.index(set);
    const auto values = index.column(column);
    std::vector<float> result(static_cast<std::size_t>(end - begin));
    for (std::int64_t entry = begin; entry < end; ++entry) {
        result[static_cast<std::size_t>(entry - begin)] = values[index.slot(entry)];
    }
    return result;
}

}  // namespace kvist
