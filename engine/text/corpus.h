// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

#include "engine/api/run_config.h"
#include "engine/text/tokenizer.h"

namespace kvist {

/// The first `count` tokens of a text; fewer where the text is shorter. Segmentation::Lines is the article's protocol:
/// each line that holds more than white space, plus two newlines, is tokenised apart and the pieces are concatenated;
/// ends once `count` tokens are there.
std::vector<std::int32_t> tokensOf(std::string_view content, Segmentation segments, const Tokenizer& tokenizer,
                                   std::int64_t count, const std::stop_token& stop = {});

/// The same of a text file (text_file.h). Throws EngineError(UnreadableFile) that names the file.
std::vector<std::int32_t> readTokens(const TextChoice& text, const Tokenizer& tokenizer, std::int64_t count,
                                     const std::stop_token& stop = {});

}  // namespace kvist
