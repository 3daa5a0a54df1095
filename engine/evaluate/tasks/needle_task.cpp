// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/tasks/needle_task.h"

#include "engine/evaluate/tasks/task_text.h"

namespace kvist {
namespace {

/// "a", "a, and b", "a, b, and c".
std::string listed(const std::vector<std::string>& keys) {
    std::string text = keys.front();
    for (std::size_t i = 1; i < keys.size(); ++i) {
        text += (i + 1 < keys.size() ? ", " : ", and ") + keys[i];
    }
    return text;
}

/// One number is spoken of in the singular.
TaskText wordsFor(const std::vector<std::string>& asked, bool isOne) {
    const std::string number = isOne ? "number" : "numbers";
    const std::string about = "special magic " + number + " for " + listed(asked) + " mentioned in the provided text";
    TaskText text;
    text.introduction = std::string(isOne ? "A special magic number is" : "Some special magic numbers are") +
                        " hidden within the following text. Make sure to memorize it. I will quiz you about the " +
                        number + " afterwards.";
    text.question = (isOne ? "What is the " : "What are all the ") + about + "?";
    text.answerBegin = " The " + about + (isOne ? " is" : " are");
    return text;
}

}  // namespace

TaskSample NeedleTask::build(std::int64_t number) const {
    const KeyedDraws draws(m_settings.seed, number);
    const auto keys = draws.keys(m_settings.keys);
    const auto values = draws.numbers(m_settings.keys * m_settings.values, m_settings.digits);
    const auto queries = static_cast<std::size_t>(m_settings.queries);
    const std::vector<std::string> asked(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(queries));

    TaskText text = wordsFor(asked, m_settings.queries * m_settings.values == 1);
    std::vector<std::string> expected;
    TaskSettings drawnDepth = m_settings;
    drawnDepth.depth = -1;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t key = i / static_cast<std::size_t>(m_settings.values);
        const bool isAsked = key < queries;
        const std::string needle = " One of the special magic numbers for " + keys[key] + " is: " + values[i] + ".";
        const double depth = depthOf(isAsked ? m_settings : drawnDepth, draws, static_cast<std::int64_t>(i));
        (isAsked ? text.asked : text.others).push_back({m_tokenizer.encode(needle), depth});
        if (isAsked) {
            expected.push_back(values[i]);
        }
    }
    TaskSample sample = sampleOf(text, m_settings, m_tokenizer, m_haystack, draws);
    sample.expected = std::move(expected);
    return sample;
}

}  // namespace kvist
