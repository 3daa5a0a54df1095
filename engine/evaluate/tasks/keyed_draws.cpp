// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/tasks/keyed_draws.h"

#include <algorithm>
#include <functional>

#include "engine/evaluate/tasks/word_lists.h"
#include "engine/policies/keyed_random.h"

namespace kvist {
namespace {

/// The first `count` different texts among make(0), make(1), …
std::vector<std::string> distinct(std::int64_t count, const std::function<std::string(std::int64_t)>& make) {
    std::vector<std::string> texts;
    for (std::int64_t i = 0; static_cast<std::int64_t>(texts.size()) < count; ++i) {
        std::string text = make(i);
        if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
            texts.push_back(std::move(text));
        }
    }
    return texts;
}

}  // namespace

double KeyedDraws::share(Purpose purpose, std::int64_t index) const {
    return static_cast<double>(keyedRandom({m_seed, static_cast<std::uint64_t>(m_sample),
                                            static_cast<std::uint64_t>(purpose), static_cast<std::uint64_t>(index)}));
}

std::int64_t KeyedDraws::below(std::int64_t count, Purpose purpose, std::int64_t index) const {
    return static_cast<std::int64_t>(share(purpose, index) * static_cast<double>(count));
}

std::vector<std::string> KeyedDraws::keys(std::int64_t count) const {
    const auto one = [&](const std::vector<std::string>& words, Purpose purpose, std::int64_t i) {
        return words[static_cast<std::size_t>(below(static_cast<std::int64_t>(words.size()), purpose, i))];
    };
    return distinct(count, [&](std::int64_t i) {
        return one(adjectives(), Purpose::Adjective, i) + "-" + one(nouns(), Purpose::Noun, i);
    });
}

std::vector<std::string> KeyedDraws::numbers(std::int64_t count, std::int64_t digits) const {
    return distinct(count, [&](std::int64_t i) {
        std::string number;
        for (std::int64_t digit = 0; digit < digits; ++digit) {
            const std::int64_t least = digit == 0 ? 1 : 0;
            number += static_cast<char>('0' + least + below(10 - least, Purpose::Value, i * digits + digit));
        }
        return number;
    });
}

std::vector<std::string> KeyedDraws::names(std::int64_t count) const {
    constexpr std::int64_t kLetters = 5;
    return distinct(count, [&](std::int64_t i) {
        std::string name;
        for (std::int64_t letter = 0; letter < kLetters; ++letter) {
            name += static_cast<char>('A' + below(26, Purpose::Letter, i * kLetters + letter));
        }
        return name;
    });
}

}  // namespace kvist
