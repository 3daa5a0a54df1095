// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/kernels/attention_case.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace kvist::kernels::test {

std::string describe(const AttentionShape& shape) {
    std::ostringstream text;
    text << "chunk " << shape.chunk << ", group " << shape.group << ", head_dim " << shape.headDim << ", held";
    for (const std::int64_t held : shape.held)
        text << ' ' << held;
    return text.str();
}

AttentionCase::AttentionCase(AttentionShape shape, at::ScalarType queryType, at::ScalarType storedType, double spread)
    : m_shape(std::move(shape)) {
    const auto kvHeads = static_cast<std::int64_t>(m_shape.held.size());
    const std::int64_t longest = *std::max_element(m_shape.held.begin(), m_shape.held.end());
    const std::int64_t capacity = 2 * (longest + m_shape.chunk) + 5;
    const at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(std::uint64_t{7});
    // Rounded to the stored type first, so that one set of values serves every query type.
    queries = at::randn({m_shape.chunk, kvHeads * m_shape.group, m_shape.headDim}, generator, at::kFloat);
    queries = queries.mul_(spread).to(storedType).to(queryType);
    const double unused = std::numeric_limits<double>::quiet_NaN();
    keys = at::full({kvHeads, capacity, m_shape.headDim}, unused, storedType);
    values = at::full({kvHeads, capacity, m_shape.headDim}, unused, storedType);
    for (std::int64_t head = 0; head < kvHeads; ++head) {
        const std::int64_t used = m_shape.held[static_cast<std::size_t>(head)] + m_shape.chunk;
        keys[head]
            .narrow(0, 0, used)
            .copy_(at::randn({used, m_shape.headDim}, generator, at::TensorOptions(at::kFloat)).mul_(spread));
        values[head]
            .narrow(0, 0, used)
            .copy_(at::randn({used, m_shape.headDim}, generator, at::TensorOptions(at::kFloat)));
    }
}

AttentionCall AttentionCase::call(bool wantsMass) const {
    const double scale = 1.0 / std::sqrt(static_cast<double>(m_shape.headDim));
    return {queries, keys, values, m_shape.held, scale, wantsMass};
}

AttentionResult AttentionCase::expected() const {
    const auto kvHeads = static_cast<std::int64_t>(m_shape.held.size());
    const std::int64_t longest = *std::max_element(m_shape.held.begin(), m_shape.held.end());
    const std::int64_t heads = kvHeads * m_shape.group;
    AttentionResult result;
    result.context = at::empty({m_shape.chunk, heads, m_shape.headDim}, at::kDouble);
    result.mass = at::zeros({kvHeads, longest + m_shape.chunk}, at::kDouble);
    const AttentionCall inputs = call();
    const at::Tensor wideQueries = queries.to(at::kDouble);
    for (std::int64_t kvHead = 0; kvHead < kvHeads; ++kvHead) {
        const std::int64_t held = m_shape.held[static_cast<std::size_t>(kvHead)];
        const at::Tensor ownKeys = keys[kvHead].narrow(0, 0, held + m_shape.chunk).to(at::kDouble);
        const at::Tensor ownValues = values[kvHead].narrow(0, 0, held + m_shape.chunk).to(at::kDouble);
        for (std::int64_t query = 0; query < m_shape.chunk; ++query) {
            const std::int64_t visible = held + query + 1;
            const at::Tensor group = wideQueries[query].narrow(0, kvHead * m_shape.group, m_shape.group);
            const at::Tensor logits = at::matmul(group, ownKeys.narrow(0, 0, visible).t()).mul_(inputs.scale);
            const at::Tensor probabilities = at::softmax(logits, 1);  // [group, visible]
            result.context[query]
                .narrow(0, kvHead * m_shape.group, m_shape.group)
                .copy_(at::matmul(probabilities, ownValues.narrow(0, 0, visible)));
            result.mass[kvHead].narrow(0, 0, visible).add_(probabilities.sum(0));
        }
    }
    result.context = result.context.view({m_shape.chunk, heads * m_shape.headDim});
    return result;
}

double deviation(const at::Tensor& actual, const at::Tensor& expected) {
    const at::Tensor wide = expected.to(at::kDouble);
    const double largest = wide.abs().max().item<double>();
    return actual.to(at::kDouble).sub(wide).abs().max().item<double>() / largest;
}

}  // namespace kvist::kernels::test
