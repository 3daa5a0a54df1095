// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/codecs/codebook.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

namespace kvist {
namespace {

/// Mass and first moment of the density between 0 and points of a fine grid over [0, 1].
class Moments {
public:
    explicit Moments(std::int64_t dimensions) : m_mass(kSteps + 1, 0.0), m_moment(kSteps + 1, 0.0) {
        const double power = static_cast<double>(dimensions - 3) / 2.0;
        for (std::size_t i = 1; i <= kSteps; ++i) {
            const double middle = (static_cast<double>(i) - 0.5) / kSteps;
            const double density = std::pow(1.0 - middle * middle, power);
            m_mass[i] = m_mass[i - 1] + density;
            m_moment[i] = m_moment[i - 1] + density * middle;
        }
    }

    /// Mean of the coordinate between two points; the middle where there is no mass to speak of.
    double mean(double from, double to) const {
        const double mass = at(m_mass, to) - at(m_mass, from);
        return mass > 1e-12 * m_mass.back() ? (at(m_moment, to) - at(m_moment, from)) / mass : (from + to) / 2;
    }

private:
    static constexpr std::size_t kSteps = 1 << 17;

    static double at(const std::vector<double>& sums, double x) {
        const double place = std::clamp(x, 0.0, 1.0) * kSteps;
        const auto below = std::min(static_cast<std::size_t>(place), kSteps - 1);
        return sums[below] + (sums[below + 1] - sums[below]) * (place - static_cast<double>(below));
    }

    std::vector<double> m_mass;
    std::vector<double> m_moment;
};

std::vector<float> computed(std::int64_t dimensions, int bits) {
    constexpr int kMostRounds = 20000;
    const Moments moments(dimensions);
    const std::size_t half = std::size_t{1} << static_cast<unsigned>(bits - 1);
    std::vector<double> positive(half);  // the density is symmetric, and so is the codebook
    const double widest = std::min(1.0, 3.0 / std::sqrt(static_cast<double>(dimensions)));
    for (std::size_t i = 0; i < half; ++i) {
        positive[i] = widest * (static_cast<double>(i) + 0.5) / static_cast<double>(half);
    }
    double change = 1.0;
    for (int round = 0; round < kMostRounds && change > 1e-12; ++round) {
        change = 0.0;
        double from = 0.0;
        for (std::size_t i = 0; i < half; ++i) {
            const double to = i + 1 < half ? (positive[i] + positive[i + 1]) / 2 : 1.0;
            const double mean = moments.mean(from, to);
            change = std::max(change, std::abs(mean - positive[i]));
            positive[i] = mean;
            from = to;
        }
    }
    std::vector<float> codebook;
    for (auto number = positive.rbegin(); number != positive.rend(); ++number) {
        codebook.push_back(static_cast<float>(-*number));
    }
    codebook.insert(codebook.end(), positive.begin(), positive.end());
    return codebook;
}

}  // namespace

const std::vector<float>& sphereCodebook(std::int64_t dimensions, int bits) {
    static std::mutex mutex;
    static std::map<std::pair<std::int64_t, int>, std::vector<float>> known;
    const std::lock_guard lock(mutex);
    auto& codebook = known[{dimensions, bits}];
    if (codebook.empty()) {
        codebook = computed(dimensions, bits);
    }
    return codebook;
}

std::uint32_t nearestCode(const std::vector<float>& codebook, float value) {
    const auto above = std::lower_bound(codebook.begin(), codebook.end(), value);
    if (above == codebook.begin()) {
        return 0;
    }
    const auto index = static_cast<std::uint32_t>(above - codebook.begin());
    if (above == codebook.end()) {
        return index - 1;
    }
    return value - codebook[index - 1] <= codebook[index] - value ? index - 1 : index;
}

}  // namespace kvist
