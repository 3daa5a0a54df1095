// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/corpus.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/api/engine_error.h"
#include "engine/text/tokenizer_file.h"
#include "engine/text/utf8.h"

namespace kvist {
namespace {

constexpr std::size_t kSegmentBytes = std::size_t{256} << 10;  // between two looks at the stop token

void append(std::vector<std::int32_t>& ids, const std::vector<std::int32_t>& more) {
    ids.insert(ids.end(), more.begin(), more.end());
}

void throwIfStopped(const std::stop_token& stop) {
    if (stop.stop_requested()) {
        throw EngineError(ErrorKind::Cancelled, "cancelled while reading the text");
    }
}

/// Valid UTF-8 with "\n" alone as the end of a line and without a byte-order mark.
std::string readText(const std::string& path) {
    const std::string bytes = readBytes(path);
    std::string_view rest = bytes;
    if (rest.starts_with("\xEF\xBB\xBF")) {
        rest.remove_prefix(3);
    }
    std::string text = replaceInvalidUtf8(rest);
    std::size_t kept = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool isReturn = text[at] == '\r';
        if (isReturn && at + 1 < text.size() && text[at + 1] == '\n') {
            continue;
        }
        text[kept++] = isReturn ? '\n' : text[at];
    }
    text.resize(kept);
    return text;
}

}  // namespace

std::vector<std::int32_t> readTokens(const TextChoice& text, const Tokenizer& tokenizer, std::int64_t count,
                                     const std::stop_token& stop) {
    throwIfStopped(stop);
    const std::string content = readText(text.file);
    const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
    std::vector<std::int32_t> ids;
    for (std::string_view rest = content; !rest.empty() && ids.size() < wanted;) {
        throwIfStopped(stop);
        if (text.segments == Segmentation::Whole) {
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

}  // namespace kvist
