// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/calibration/calibrator.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/api/engine_error.h"
#include "engine/kernels/attention.h"
#include "engine/policies/calibration/calibration_file.h"
#include "engine/policies/calibration/distant_attention.h"
#include "engine/policies/calibration/query_statistics.h"

namespace kvist {
namespace {

constexpr std::int64_t kStretch = 1024;

std::unique_ptr<CalibrationMeasure> measureFor(const CalibrationRequest& request, const ModelConfig& config) {
    if (request.kind == CalibrationKind::QueryStatistics) {
        return std::make_unique<QueryStatistics>(config.layers, config.queryHeads, config.headDim);
    }
    return std::make_unique<DistantAttention>(config.layers, config.kvHeads, request.sinks, request.recent);
}

/// Tokens of a stretch: enough to see something distant in most of it.
std::int64_t stretchFor(const CalibrationRequest& request, const ModelConfig& config, std::int64_t tokens) {
    const std::int64_t near = request.sinks + request.recent;
    const std::int64_t stretch = std::min({std::max(kStretch, 4 * near), config.maxPositions, tokens});
    if (stretch <= near) {
        throw EngineError(ErrorKind::InvalidInput, "a calibration with " + std::to_string(request.sinks) +
                                                       " sinks and " + std::to_string(request.recent) +
                                                       " recent entries needs a text and a context of more "
                                                       "than " +
                                                       std::to_string(near) + " tokens; choose fewer");
    }
    return stretch;
}

/// Attention of a stretch to itself, shown to a measure.
class CalibrationPass : public CacheAttention {
public:
    CalibrationPass(CalibrationMeasure& measure, RotaryAngles angles)
        : m_measure(measure), m_angles(std::move(angles)) {}

    at::Tensor attend(std::int64_t layer, const Projection& projection) override {
        const std::int64_t tokens = projection.queries.size(0);
        m_measure.add(layer, projection, {m_angles.cos.narrow(0, 0, tokens), m_angles.sin.narrow(0, 0, tokens)});
        const std::vector<std::int64_t> held(static_cast<std::size_t>(projection.keys.size(1)), 0);
        return kernels::attention({.queries = projection.queries,
                                   .keys = projection.keys.transpose(0, 1).contiguous(),
                                   .values = projection.values.transpose(0, 1).contiguous(),
                                   .held = held,
                                   .scale = 1.0 / std::sqrt(static_cast<double>(projection.queries.size(2))),
                                   .wantsMass = false})
            .context;
    }

private:
    CalibrationMeasure& m_measure;
    const RotaryAngles m_angles;
};

}  // namespace

Calibration calibrate(const Decoder& decoder, const CalibrationRequest& request, std::span<const std::int32_t> tokens,
                      RunObserver& observer, const std::stop_token& stop) {
    const ModelConfig& config = decoder.config();
    const auto count = static_cast<std::int64_t>(tokens.size());
    const std::int64_t stretch = stretchFor(request, config, count);
    const auto measure = measureFor(request, config);
    CalibrationPass pass(
        *measure, RotaryEmbedding(config.headDim, config.ropeTheta, decoder.options(), config.yarn).angles(0, stretch));
    observer.onPhase(RunPhase::Calibrating);
    // A shorter piece at the end would count its first tokens more than those of the others.
    const std::int64_t stretches = count / stretch;
    for (std::int64_t i = 0; i < stretches; ++i) {
        const auto onLayerDone = [&](std::int64_t layers) {
            observer.onProgress((i * config.layers + layers) * stretch / config.layers, stretches * stretch);
        };
        decoder.forward(tokens.subspan(static_cast<std::size_t>(i * stretch), static_cast<std::size_t>(stretch)), 0,
                        pass, {.stop = stop, .checksFinite = true, .onLayerDone = onLayerDone});
    }
    const at::Tensor values = measure->values();
    return {values, digestOf(values)};
}

}  // namespace kvist
