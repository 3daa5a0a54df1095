// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/text/bpe_vocabulary.h"

namespace kvist {

/// The two parts of a merge, in byte-level symbols as the file has them.
using MergeRule = std::pair<std::string, std::string>;

/// Turns the bytes of one piece of text into ids: again and again the adjacent pair of lowest rank becomes one
/// token, the leftmost first among equals.
class BpeMerger {
public:
    /// `rules` by falling priority; `source` is the file that errors name. Throws EngineError(UnreadableFile)
    /// where a part of a rule or what it makes is not in the vocabulary.
    BpeMerger(const BpeVocabulary& vocabulary, const std::vector<MergeRule>& rules,
              const std::filesystem::path& source);

    /// Appends the ids of a piece; O(n log n).
    void append(std::string_view piece, std::vector<std::int32_t>& ids) const;

private:
    struct Merge {
        std::int32_t rank;
        std::int32_t id;
    };

    const Merge* find(std::int32_t left, std::int32_t right) const;

    std::array<std::int32_t, 256> m_byteIds{};
    std::unordered_map<std::uint64_t, Merge> m_merges;  ///< by both ids
};

}  // namespace kvist
