// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/tasks/task_text.h"

#include <algorithm>

#include "engine/api/engine_error.h"

namespace kvist {
namespace {

/// Fewer tokens of text would hide nothing.
constexpr std::int64_t kLeastHaystack = 16;

std::int64_t sizeOf(const std::vector<std::int32_t>& tokens) {
    return static_cast<std::int64_t>(tokens.size());
}

/// An assistant's turn does not begin with the space that parts an answer from its question.
std::string withoutSpace(const std::string& text) {
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

}  // namespace

double depthOf(const TaskSettings& settings, const KeyedDraws& draws, std::int64_t index) {
    return settings.depth < 0 ? draws.share(KeyedDraws::Purpose::Depth, index) : settings.depth / 100;
}

TaskSample sampleOf(const TaskText& text, const TaskSettings& settings, const Tokenizer& tokenizer,
                    const Haystack& haystack, const KeyedDraws& draws) {
    TaskSample sample;
    sample.context = tokenizer.encode(settings.turnBegin + (settings.asksFirst ? text.question + "\n" : "") +
                                      text.introduction + "\n");
    sample.question = tokenizer.encode("\n" + text.question + settings.turnEnd +
                                       (settings.turnEnd.empty() ? text.answerBegin : withoutSpace(text.answerBegin)));

    std::vector<HiddenPiece> pieces = text.asked;
    pieces.insert(pieces.end(), text.others.begin(), text.others.end());
    std::int64_t taken = sizeOf(sample.context) + sizeOf(sample.question) + settings.answer;
    for (const HiddenPiece& piece : pieces) {
        taken += sizeOf(piece.tokens);
    }
    const std::int64_t room = settings.length - taken;
    if (room < kLeastHaystack) {
        throw EngineError(ErrorKind::InvalidInput,
                          "length " + std::to_string(settings.length) + ": the task " + settings.task +
                              " needs at least " + std::to_string(taken + kLeastHaystack) +
                              " tokens here; choose a longer length or fewer needles or answer tokens");
    }
    const auto start = draws.below(haystack.size(), KeyedDraws::Purpose::Text, 0);
    const HiddenText hidden = hidePieces(haystack, haystack.cut(start, room), pieces);
    const std::int64_t offset = sizeOf(sample.context);
    sample.context.insert(sample.context.end(), hidden.tokens.begin(), hidden.tokens.end());
    for (std::size_t i = 0; i < text.asked.size(); ++i) {
        sample.needles.push_back({hidden.places[i].first + offset, hidden.places[i].end + offset});
    }
    return sample;
}

}  // namespace kvist
