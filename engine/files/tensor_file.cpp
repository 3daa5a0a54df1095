// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/files/tensor_file.h"

#include <algorithm>
#include <utility>

#include "engine/files/block_format.h"
#include "engine/runtime/compute.h"
#include "engine/runtime/file_bytes.h"

namespace kvist {

std::int64_t StoredTensor::elements() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) {
        count *= extent;
    }
    return count;
}

std::string StoredTensor::typeName() const {
    return blocks != nullptr ? blocks->name : dtypeName(type);
}

void checkOverlaps(const std::filesystem::path& path, const std::map<std::string, StoredTensor>& tensors) {
    std::vector<std::pair<std::span<const std::byte>, const std::string*>> ranges;
    for (const auto& [name, tensor] : tensors) {
        if (!tensor.bytes.empty()) {
            ranges.emplace_back(tensor.bytes, &name);
        }
    }
    std::sort(ranges.begin(), ranges.end(),
              [](const auto& a, const auto& b) { return a.first.data() < b.first.data(); });
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        const auto& before = ranges[i - 1].first;
        if (before.data() + before.size() > ranges[i].first.data()) {
            throwUnreadable(path, "tensors " + *ranges[i - 1].second + " and " + *ranges[i].second + " overlap");
        }
    }
}

}  // namespace kvist
