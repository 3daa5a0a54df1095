// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/calibration/text_overlap.h"

#include <string_view>
#include <unordered_set>

#include "engine/runtime/mapped_file.h"

namespace kvist {
namespace {

constexpr std::size_t kShortest = 80;

template <typename Visit>
void forLongLines(std::string_view text, Visit visit) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        line.remove_suffix(line.ends_with('\r') ? 1 : 0);
        if (line.size() >= kShortest) {
            visit(line);
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::string_view textOf(const MappedFile& file) {
    return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

}  // namespace

bool shareLines(const std::string& file, const std::string& other) {
    const MappedFile first(file);
    const MappedFile second(other);
    std::unordered_set<std::string_view> lines;
    forLongLines(textOf(first), [&](std::string_view line) { lines.insert(line); });
    bool share = false;
    forLongLines(textOf(second), [&](std::string_view line) { share = share || lines.contains(line); });
    return share;
}

}  // namespace kvist
