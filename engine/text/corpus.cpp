// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/corpus.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/runtime/stop.h"
#include "engine/text/text_file.h"
#include "engine/text/utf8.h"

namespace kvist {
namespace {

constexpr std::size_t kSegmentBytes = std::size_t{256} << 10;  // between two looks at the stop token

void append(std::vector<std::int32_t>& ids, const std::vector<std::int32_t>& more) {
    ids.insert(ids.end(), more.begin(), more.end());
}

}  // namespace

std::vector<std::int32_t> tokensOf(std::string_view content, Segmentation segments, const Tokenizer& tokenizer,
                                   std::int64_t count, const std::stop_token& stop) {
    throwIfStopped(stop);
    const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
    std::vector<std::int32_t> ids;
    for (std::string_view rest = content; !rest.empty() && ids.size() < wanted;) {
        throwIfStopped(stop);
        if (segments == Segmentation::Whole) {
            const std::size_t end = tokenizer.cutAfter(rest, std::min(rest.size(), kSegmentBytes));
            append(ids, tokenizer.encode(rest.substr(0, end)));
            rest.remove_prefix(end);
            continue;
        }
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        if (!isBlank(line)) {
            append(ids, tokenizer.encode(std::string(line) + "\n\n"));
        }
    }
    throwIfStopped(stop);
    ids.resize(std::min(ids.size(), wanted));
    return ids;
}

std::vector<std::int32_t> readTokens(const TextChoice& text, const Tokenizer& tokenizer, std::int64_t count,
                                     const std::stop_token& stop) {
    return tokensOf(textOf(readTextBytes(text.file), text), text.segments, tokenizer, count, stop);
}

}  // namespace kvist
