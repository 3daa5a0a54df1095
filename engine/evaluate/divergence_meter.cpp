// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/divergence_meter.h"

#include <algorithm>
#include <cmath>

#include "engine/api/statistics.h"
#include "engine/evaluate/curve_blocks.h"

namespace kvist {
namespace {

double meanOf(std::span<const float> values) {
    return estimate(values).mean;
}

double rootMeanSquare(std::span<const float> values) {
    double sum = 0;
    for (const float value : values) {
        sum += static_cast<double>(value) * static_cast<double>(value);
    }
    return std::sqrt(sum / static_cast<double>(values.size()));
}

}  // namespace

void DivergenceMeter::add(const LogitBlock& block) {
    m_differences.append(m_baseline.compare(block, static_cast<std::int64_t>(m_differences.kl.size())));
}

void DivergenceMeter::report(bool isLast, RunResult& result) {
    const std::size_t count = m_differences.kl.size();
    while (m_shown + kCurveBlock <= count || (isLast && m_shown < count)) {
        const std::size_t size = std::min(kCurveBlock, count - m_shown);
        const auto block = [&](const std::vector<float>& values) { return std::span(values).subspan(m_shown, size); };
        const double x = static_cast<double>(m_first) + static_cast<double>(m_shown + size);
        addPoint(result, m_observer, "kl", x, meanOf(block(m_differences.kl)));
        addPoint(result, m_observer, "delta_p_rms", x, rootMeanSquare(block(m_differences.deltaP)));
        addPoint(result, m_observer, "same_top", x, meanOf(block(m_differences.sameTop)));
        m_shown += size;
    }
}

void DivergenceMeter::addMetrics(RunResult& result) const {
    const std::vector<double> kl(m_differences.kl.begin(), m_differences.kl.end());
    result.metrics["kl_mean"] = mean(kl);
    result.metrics["kl_median"] = median(kl);
    result.metrics["kl_p99"] = percentile(kl, 99);
    result.metrics["delta_p_rms"] = rootMeanSquare(m_differences.deltaP);
    result.metrics["same_top"] = meanOf(m_differences.sameTop);
}

}  // namespace kvist
