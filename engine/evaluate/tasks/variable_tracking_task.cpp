// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/tasks/variable_tracking_task.h"

#include <algorithm>

#include "engine/evaluate/tasks/task_text.h"

namespace kvist {
namespace {

constexpr std::int64_t kDigits = 5;

const char* const kIntroduction =
    "Memorize and track the chain(s) of variable assignment hidden in the following text.\n";

using Names = std::vector<std::string>;

Names assignments(const Names& names, const std::string& value) {
    Names lines = {"VAR " + names.front() + " = " + value};
    for (std::size_t i = 1; i < names.size(); ++i) {
        lines.push_back("VAR " + names[i] + " = VAR " + names[i - 1]);
    }
    return lines;
}

std::string questionFor(const std::string& value) {
    return "Question: Find all variables that are assigned the value " + value + " in the text above.";
}

std::string answerBegin(const Names& names, const std::string& value) {
    return " Answer: According to the chain(s) of variable assignment in the text above, " +
           std::to_string(names.size()) + " variables are assigned the value " + value + ", they are:";
}

/// A chain between sentences of no meaning, with question and answer.
std::string example(const Names& names, const std::string& value) {
    std::string text = kIntroduction;
    for (const std::string& line : assignments(names, value)) {
        text.append("\nThe grass is green. The sky is blue. The sun is yellow. Here we go. There and back again.\n");
        text.append(line);
    }
    text.append("\n").append(questionFor(value)).append(answerBegin(names, value));
    for (const std::string& name : names) {
        text.append(" ").append(name);
    }
    return text.append("\n\n");
}

}  // namespace

TaskSample VariableTrackingTask::build(std::int64_t number) const {
    const KeyedDraws draws(m_settings.seed, number);
    const auto count = static_cast<std::ptrdiff_t>(m_settings.hops + 1);
    const Names all = draws.names(2 * count);
    const Names values = draws.numbers(2, kDigits);
    const Names names(all.begin(), all.begin() + count);

    TaskText text;
    text.introduction = example({all.begin() + count, all.end()}, values.back()) + kIntroduction;
    text.question = questionFor(values.front());
    text.answerBegin = answerBegin(names, values.front());
    std::vector<double> depths;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        depths.push_back(depthOf(m_settings, draws, i));
    }
    std::sort(depths.begin(), depths.end());
    for (const std::string& line : assignments(names, values.front())) {
        text.asked.push_back({m_tokenizer.encode("\n" + line + "\n"), depths[text.asked.size()]});
    }
    TaskSample sample = sampleOf(text, m_settings, m_tokenizer, m_haystack, draws);
    sample.expected = names;
    return sample;
}

}  // namespace kvist
