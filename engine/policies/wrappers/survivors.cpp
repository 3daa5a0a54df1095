// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/wrappers/survivors.h"

namespace kvist {

std::vector<std::int32_t> survivors(const std::vector<std::int32_t>& evicted, std::int64_t count) {
    std::vector<std::int32_t> kept;
    auto gone = evicted.begin();
    for (std::int32_t entry = 0; entry < count; ++entry) {
        if (gone != evicted.end() && *gone == entry) {
            ++gone;
        } else {
            kept.push_back(entry);
        }
    }
    return kept;
}

}  // namespace kvist
