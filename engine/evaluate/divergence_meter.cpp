// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/divergence_meter.h"

#include <cmath>

#include "engine/api/statistics.h"

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
    m_blocks.advance(m_differences.kl.size(), isLast, [&](std::size_t first, std::size_t last) {
        const auto block = [&](const std::vector<float>& values) {
            return std::span(values).subspan(first, last - first);
        };
        const double x = static_cast<double>(m_first) + static_cast<double>(last);
        addPoint(result, m_observer, "kl", x, meanOf(block(m_differences.kl)));
        addPoint(result, m_observer, "delta_p_rms", x, rootMeanSquare(block(m_differences.deltaP)));
        addPoint(result, m_observer, "same_top", x, meanOf(block(m_differences.sameTop)));
    });
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
