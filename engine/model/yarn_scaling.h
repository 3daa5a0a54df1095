// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace kvist {

/// YaRN (Peng et al. 2023, arXiv 2309.00071, section 3): rotary frequencies stretched so that a model reaches `factor`
/// times the positions it was trained on. Qwen2.5 documents it as "rope_scaling" of type "yarn".
struct YarnScaling {
    static constexpr double kLargestFactor = 1000;

    double factor = 1;
    std::int64_t originalPositions = 0;  ///< "original_max_position_embeddings"
    double betaFast = 32;                ///< turns over the original positions from which a component is not stretched
    double betaSlow = 1;                 ///< turns up to which it is stretched by the whole factor
    bool truncates = true;               ///< whether both bounds are rounded to whole components
    std::optional<double> attentionFactor =
        std::nullopt;  ///< what cosine and sine are multiplied by, where it is given

    /// attentionFactor, or 0.1 ln(factor) + 1 (equation 22 as code has it), 1 for factors up to 1.
    double scale() const;

    /// originalPositions times the factor.
    std::int64_t reachedPositions() const {
        return static_cast<std::int64_t>(factor * static_cast<double>(originalPositions));
    }

    bool operator==(const YarnScaling&) const = default;
};

}  // namespace kvist
