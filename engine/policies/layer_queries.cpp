// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/layer_queries.h"

#include <ATen/ops/cat.h>

#include <algorithm>

namespace kvist {

void LayerQueries::append(const at::Tensor& queries, std::int64_t first) {
    if (m_window == 0) {
        return;
    }
    const std::int64_t added = std::min(queries.size(0), m_window);
    const at::Tensor newest = queries.narrow(0, queries.size(0) - added, added);
    const std::int64_t old = std::min(count(), m_window - added);
    m_rotated = old > 0 ? at::cat({m_rotated.narrow(0, count() - old, old), newest}) : newest.clone();
    m_first = first + queries.size(0) - added - old;
}

void LayerQueries::clear() {
    m_rotated = at::Tensor();
    m_first = 0;
}

std::int64_t LayerQueries::bytes() const {
    return m_rotated.defined() ? static_cast<std::int64_t>(m_rotated.nbytes()) : 0;
}

}  // namespace kvist
