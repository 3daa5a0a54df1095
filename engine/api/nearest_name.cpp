// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/nearest_name.h"

#include <algorithm>
#include <numeric>

namespace kvist {
namespace {

std::size_t editDistance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    return row.back();
}

}  // namespace

std::string nearestName(const std::string& mistyped, const std::vector<std::string>& known) {
    std::string best;
    std::size_t bestDistance = mistyped.size() / 2 + 1;
    for (const std::string& candidate : known) {
        const std::size_t distance = editDistance(mistyped, candidate);
        if (distance < bestDistance) {
            best = candidate;
            bestDistance = distance;
        }
    }
    return best;
}

}  // namespace kvist
