// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "engine/api/run_config.h"
#include "engine/text/tokenizer.h"

namespace kvist {

/// The first `count` tokens of a text file (UTF-8; a byte-order mark is dropped, CRLF becomes LF); fewer where
/// the text is shorter. Segmentation::Lines is the article's protocol: each line that holds more than white
/// space, plus two newlines, is tokenised apart and the pieces are concatenated; reading stops once `count`
/// tokens are there. Throws EngineError(UnreadableFile) that names the file.
std::vector<std::int32_t> readTokens(const TextChoice& text, const Tokenizer& tokenizer, std::int64_t count,
                                     const std::stop_token& stop = {});

}  // namespace kvist
