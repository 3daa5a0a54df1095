// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/prediction_log.h"

#include <limits>

#include "engine/api/engine_error.h"

namespace kvist {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

at::Tensor idsOf(const LogitBlock& block) {
    const std::vector<std::int64_t> ids(block.next.begin(), block.next.end());
    return at::tensor(ids).to(block.logits.device()).unsqueeze(1);
}

/// Log of the probability that is left beside `ids`, [rows].
at::Tensor logRest(const at::Tensor& logits, const at::Tensor& ids, const at::Tensor& sum) {
    return logits.scatter(1, ids, -kInfinity).logsumexp(1) - sum;
}

std::vector<float> numbers(const at::Tensor& values) {
    const at::Tensor flat = values.to(at::kCPU, at::kFloat).contiguous();
    const auto* data = flat.data_ptr<float>();
    return {data, data + flat.numel()};
}

}  // namespace

void PredictionDifferences::append(const PredictionDifferences& more) {
    kl.insert(kl.end(), more.kl.begin(), more.kl.end());
    deltaP.insert(deltaP.end(), more.deltaP.begin(), more.deltaP.end());
    sameTop.insert(sameTop.end(), more.sameTop.begin(), more.sameTop.end());
}

PredictionLog::PredictionLog(std::int64_t rows, std::int64_t vocabulary, std::int64_t top)
    : m_vocabulary(vocabulary),
      m_top(top),
      m_rows(at::empty({rows, top == 0 ? vocabulary : top}, at::kHalf)),
      m_ids(at::empty({rows, top}, at::kInt)),
      m_rest(at::empty({top == 0 ? 0 : rows}, at::kFloat)),
      m_right(at::empty({rows}, at::kFloat)),
      m_best(at::empty({rows}, at::kInt)) {}

void PredictionLog::append(const LogitBlock& block) {
    const std::int64_t count = block.logits.size(0);
    if (block.logits.size(1) != m_vocabulary || m_logged + count > rows()) {
        throw EngineError(ErrorKind::Internal, "there is no room for these predictions");
    }
    const auto log = [&](at::Tensor& all, const at::Tensor& values) { all.narrow(0, m_logged, count).copy_(values); };
    const at::Tensor sum = block.logits.logsumexp(1);
    log(m_right, block.logits.gather(1, idsOf(block)).squeeze(1) - sum);
    log(m_best, block.logits.argmax(1));
    if (m_top == 0) {
        log(m_rows, block.logits - sum.unsqueeze(1));
    } else {
        const auto [values, ids] = block.logits.topk(m_top, 1);
        log(m_rows, values - sum.unsqueeze(1));
        log(m_ids, ids);
        log(m_rest, logRest(block.logits, ids, sum));
    }
    m_logged += count;
}

PredictionDifferences PredictionLog::compare(const LogitBlock& block, std::int64_t first) const {
    const std::int64_t count = block.logits.size(0);
    if (block.logits.size(1) != m_vocabulary || first + count > m_logged) {
        throw EngineError(ErrorKind::Internal, "predictions do not belong to the logged ones");
    }
    const at::Tensor& logits = block.logits;
    const auto logged = [&](const at::Tensor& all, at::ScalarType type) {
        return all.narrow(0, first, count).to(logits.device(), type);
    };
    const at::Tensor sum = logits.logsumexp(1);
    at::Tensor p = logged(m_rows, logits.scalar_type());  // ln p
    at::Tensor kl;
    if (m_top == 0) {
        p = p - p.logsumexp(1, true);
        kl = (p.exp() * (p - (logits - sum.unsqueeze(1)))).sum(1);
    } else {
        const at::Tensor ids = logged(m_ids, at::kLong);
        const at::Tensor rest = logged(m_rest, logits.scalar_type());
        p = p - p.logsumexp(1, true) + at::log1p(-rest.exp()).unsqueeze(1);
        const at::Tensor q = logits.gather(1, ids) - sum.unsqueeze(1);
        // Where nothing is left beside the kept ones, 0 ln 0 = 0.
        const at::Tensor others = rest.exp() * (rest - logRest(logits, ids, sum));
        kl = (p.exp() * (p - q)).sum(1) + others.masked_fill(rest.eq(-kInfinity), 0.0);
    }
    const at::Tensor right = logits.gather(1, idsOf(block)).squeeze(1) - sum;
    return {.kl = numbers(kl),
            .deltaP = numbers(right.exp() - logged(m_right, logits.scalar_type()).exp()),
            .sameTop = numbers(logits.argmax(1).eq(logged(m_best, at::kLong)))};
}

std::int64_t PredictionLog::bytes() const {
    std::int64_t sum = 0;
    for (const at::Tensor& tensor : tensors()) {
        sum += static_cast<std::int64_t>(tensor.nbytes());
    }
    return sum;
}

}  // namespace kvist
