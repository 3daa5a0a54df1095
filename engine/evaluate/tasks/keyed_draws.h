// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kvist {

/// The random choices of one sample: each follows from the seed, the sample's number and what it is for, whatever
/// was drawn before.
class KeyedDraws {
public:
    KeyedDraws(std::uint64_t seed, std::int64_t sample) : m_seed(seed), m_sample(sample) {}

    enum class Purpose { Text, Adjective, Noun, Value, Depth, Choice, Letter };

    /// In [0, 1).
    double share(Purpose purpose, std::int64_t index) const;
    /// A whole number in [0, count).
    std::int64_t below(std::int64_t count, Purpose purpose, std::int64_t index) const;

    /// "adjective-noun"; the keys 0 … count − 1 of a sample differ.
    std::vector<std::string> keys(std::int64_t count) const;
    /// Numbers of so many digits that do not begin with 0; those of a sample differ.
    std::vector<std::string> numbers(std::int64_t count, std::int64_t digits) const;
    /// Names of five capital letters; those of a sample differ.
    std::vector<std::string> names(std::int64_t count) const;

private:
    std::uint64_t m_seed;
    std::int64_t m_sample;
};

}  // namespace kvist
