// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/bpe_merger.h"

#include <functional>
#include <queue>
#include <tuple>

#include "engine/runtime/file_bytes.h"
#include "engine/text/byte_symbols.h"

namespace kvist {
namespace {

std::uint64_t pairKey(std::int32_t left, std::int32_t right) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
}

/// A token of the piece while it is merged, linked to its neighbours.
struct Node {
    std::int32_t id;  ///< -1 once it is part of its left neighbour
    std::int32_t previous;
    std::int32_t next;
};

/// A pair that could be merged when it was queued; stale where the node no longer starts a pair giving `id`.
struct Candidate {
    std::int32_t rank;
    std::int32_t node;
    std::int32_t id;

    bool operator>(const Candidate& other) const { return std::tie(rank, node) > std::tie(other.rank, other.node); }
};

}  // namespace

BpeMerger::BpeMerger(const BpeVocabulary& vocabulary, const std::vector<MergeRule>& rules,
                     const std::filesystem::path& source) {
    for (int byte = 0; byte < 256; ++byte) {
        m_byteIds[static_cast<std::size_t>(byte)] = vocabulary.idOf(std::string(1, static_cast<char>(byte))).value();
    }
    m_merges.reserve(rules.size());
    std::int32_t rank = 0;
    const auto idOf = [&](const std::string& symbols) {
        const auto bytes = bytesOfSymbols(symbols);
        const auto id = bytes ? vocabulary.idOf(*bytes) : std::nullopt;
        if (!id) {
            throwUnreadable(source, "merge " + std::to_string(rank + 1) + " needs \"" + symbols +
                                        "\", which is not in the vocabulary; vocabulary and merges must come from "
                                        "the same model");
        }
        return *id;
    };
    for (const auto& [left, right] : rules) {
        const std::int32_t leftId = idOf(left);
        const std::int32_t rightId = idOf(right);
        m_merges.insert_or_assign(pairKey(leftId, rightId), Merge{rank, idOf(left + right)});
        ++rank;
    }
}

const BpeMerger::Merge* BpeMerger::find(std::int32_t left, std::int32_t right) const {
    const auto found = m_merges.find(pairKey(left, right));
    return found == m_merges.end() ? nullptr : &found->second;
}

void BpeMerger::append(std::string_view piece, std::vector<std::int32_t>& ids) const {
    std::vector<Node> nodes;
    nodes.reserve(piece.size());
    for (const char byte : piece) {
        const auto index = static_cast<std::int32_t>(nodes.size());
        nodes.push_back({m_byteIds[static_cast<unsigned char>(byte)], index - 1, index + 1});
    }
    const auto end = static_cast<std::int32_t>(nodes.size());
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    const auto consider = [&](std::int32_t node) {
        if (node < 0 || nodes[static_cast<std::size_t>(node)].next == end) {
            return;
        }
        const Node& left = nodes[static_cast<std::size_t>(node)];
        if (const Merge* merge = find(left.id, nodes[static_cast<std::size_t>(left.next)].id)) {
            queue.push({merge->rank, node, merge->id});
        }
    };
    for (std::int32_t node = 0; node < end; ++node) {
        consider(node);
    }
    while (!queue.empty()) {
        const Candidate best = queue.top();
        queue.pop();
        Node& left = nodes[static_cast<std::size_t>(best.node)];
        if (left.id < 0 || left.next == end) {
            continue;
        }
        Node& right = nodes[static_cast<std::size_t>(left.next)];
        const Merge* merge = find(left.id, right.id);
        if (merge == nullptr || merge->id != best.id) {
            continue;
        }
        left.id = merge->id;
        left.next = right.next;
        right.id = -1;
        if (left.next != end) {
            nodes[static_cast<std::size_t>(left.next)].previous = best.node;
        }
        consider(left.previous);
        consider(best.node);
    }
    for (std::int32_t node = 0; node < end; node = nodes[static_cast<std::size_t>(node)].next) {
        ids.push_back(nodes[static_cast<std::size_t>(node)].id);
    }
}

}  // namespace kvist
