// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/policies/layer_view.h"

namespace kvist {

/// The entries of each set of a layer that may go, in ascending order of position: those between sinks and
/// recent entries.
struct Candidates {
    std::int64_t target = 0;                 ///< entries that shall stay, protected ones among them, per set
    std::int32_t first = 0;                  ///< index of the first candidate of each set
    std::vector<std::vector<float>> scores;  ///< of each set's candidates

    std::int32_t end(std::size_t set) const { return first + static_cast<std::int32_t>(scores[set].size()); }
};

/// Which candidates go, given their scores.
class Selection {
public:
    virtual ~Selection() = default;

    /// Whether every set keeps at most the target; if not, their sum does.
    virtual bool boundsEachSet() const { return true; }

    /// Ascending indices of each set's entries that go. Of equal scores the lower position stays. Throws
    /// EngineError(Numerical) for NaN scores.
    virtual std::vector<std::vector<std::int32_t>> evicted(const LayerView& view,
                                                           const Candidates& candidates) const = 0;
};

/// Each set keeps its highest scores.
class TopScores : public Selection {
public:
    std::vector<std::vector<std::int32_t>> evicted(const LayerView& view, const Candidates& candidates) const override;
};

}  // namespace kvist
