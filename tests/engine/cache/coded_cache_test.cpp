// SPDX-License-Identifier: GPL-3.0-or-later
// Caches whose older rows are codes, against a plain list of what must be there.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "engine/cache/attend_entries.h"
#include "engine/cache/codecs/channel_codec.h"
#include "engine/cache/codecs/rotation_codec.h"
#include "engine/cache/codecs/token_codec.h"
#include "engine/cache/layer_cache.h"
#include "engine/policies/stores/random_rotation.h"

namespace kvist {
namespace {

constexpr std::int64_t kHeads = 2;
constexpr std::int64_t kHeadDim = 8;
constexpr std::int64_t kGroup = 4;
constexpr std::int64_t kResidual = 8;

CacheShape shape(at::ScalarType type = at::kFloat) {
    return {.layers = 1, .kvHeads = kHeads, .headDim = kHeadDim, .capacity = 200, .type = type, .device = at::kCPU};
}

LayerStore kivi(int bits, bool mergesSparse) {
    return {.keys = {std::make_shared<ChannelCodec>(kHeadDim, kGroup, bits), 0, kResidual},
            .values = {std::make_shared<TokenCodec>(kHeadDim, kHeadDim, bits), kResidual, 1},
            .mergesSparse = mergesSparse};
}

LayerStore turned() {
    const at::Tensor rotation = randomRotation(kHeadDim, 2, 0);
    return {.keys = {std::make_shared<RotationCodec>(rotation, 3), 2, 1},
            .values = {std::make_shared<RotationCodec>(rotation, 2), 5, 1}};
}

/// Numbers that four bits express exactly in every group: whole steps between 0 and 15, both of which each channel
/// of a group and each token has.
at::Tensor exactRows(std::int64_t first, std::int64_t count) {
    at::Tensor rows = at::empty({count, kHeads, kHeadDim});
    for (std::int64_t token = 0; token < count; ++token) {
        for (std::int64_t head = 0; head < kHeads; ++head) {
            for (std::int64_t channel = 0; channel < kHeadDim; ++channel) {
                const std::int64_t mixed = ((first + token) * 7 + head * 5 + channel * 3) % 16;
                const bool isLow = (first + token + channel) % 4 == 0;
                const bool isHigh = (first + token + channel) % 4 == 1;
                rows[token][head][channel] = isLow ? 0 : isHigh ? 15 : mixed;
            }
        }
    }
    return rows;
}

std::vector<std::int32_t> randomEntries(std::int64_t count, std::int64_t most, std::mt19937& random) {
    std::vector<std::int32_t> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    std::vector<std::int32_t> some;
    std::sample(all.begin(), all.end(), std::back_inserter(some),
                std::uniform_int_distribution<std::int64_t>(0, std::min(most, count))(random), random);
    return some;
}

class CodedCache : public ::testing::TestWithParam<bool> {};  // per head

TEST_P(CodedCache, ExactNumbersComeBackInOrderWhateverGoes) {
    std::mt19937 random(2);
    for (int history = 0; history < 20; ++history) {
        LayerCache cache(shape(), 1, GetParam(), kivi(4, false));
        std::vector<std::vector<std::int64_t>> positions(cache.indexes());
        std::int64_t seen = 0;
        for (int step = 0; step < 12; ++step) {
            const std::int64_t added = std::uniform_int_distribution<std::int64_t>(1, 14)(random);
            const at::Tensor rows = exactRows(seen, added);
            cache.append(rows, rows.flip(2), seen);
            EvictionPlan plan;
            for (std::size_t set = 0; set < cache.indexes(); ++set) {
                for (std::int64_t i = 0; i < added; ++i) {
                    positions[set].push_back(seen + i);
                    cache.index(set).column(0)[positions[set].size() - 1] = static_cast<float>(seen + i);
                }
                plan.evicted.push_back(randomEntries(cache.index(set).count(), 10, random));
                for (auto gone = plan.evicted.back().rbegin(); gone != plan.evicted.back().rend(); ++gone) {
                    positions[set].erase(positions[set].begin() + *gone);
                }
            }
            seen += added;
            if (step % 2 == 0) {
                cache.settle();  // plans meet entries that are coded already, and some that are not yet
            }
            cache.apply(plan);
            cache.settle();
            const at::Tensor whole = exactRows(0, seen);
            for (std::size_t set = 0; set < cache.indexes(); ++set) {
                const auto heads = kHeads / static_cast<std::int64_t>(cache.indexes());
                const at::Tensor kept = at::tensor(positions[set], at::kLong);
                const at::Tensor expected = whole.index_select(0, kept)
                                                .narrow(1, static_cast<std::int64_t>(set) * heads, heads)
                                                .transpose(0, 1);
                ASSERT_EQ(cache.index(set).count(), static_cast<std::int64_t>(positions[set].size()));
                ASSERT_TRUE(at::equal(cache.orderedValues(set), expected.flip(2))) << "step " << step;
                for (std::int64_t entry = 0; entry < cache.index(set).count(); ++entry) {
                    ASSERT_EQ(cache.index(set).position(entry), positions[set][static_cast<std::size_t>(entry)]);
                    ASSERT_EQ(cache.index(set).column(0)[cache.index(set).slot(entry)],
                              static_cast<float>(positions[set][static_cast<std::size_t>(entry)]));
                }
                // Keys of a group that was cut from the tail after evictions need not reach 0 and 15.
                if (expected.numel() > 0) {
                    ASSERT_LT((cache.orderedKeys(set) - expected).abs().max().item<float>(), 0.51F);
                }
            }
        }
    }
}

TEST_P(CodedCache, BytesAreThoseOfGroupsAndTail) {
    LayerCache cache(shape(at::kHalf), 0, GetParam(), kivi(4, false));
    const at::Tensor rows = exactRows(0, 19);
    cache.append(rows, rows, 0);
    cache.settle();
    // 16 keys in 4 groups and 3 in the tail; 11 values alone and 8 in the tail.
    const std::int64_t codes = kHeads * (16 + 11) * kHeadDim / 2;
    const std::int64_t tail = kHeads * (3 + 8) * kHeadDim * 2;
    const std::int64_t scales = kHeads * (4 * kHeadDim * 4 + 11 * 4);
    const CacheStats stats = cache.stats();
    EXPECT_EQ(stats.payload, codes + tail);
    EXPECT_EQ(stats.read, codes + tail + scales);
    const auto sets = static_cast<std::int64_t>(cache.indexes());
    EXPECT_EQ(stats.metadata, scales + sets * (19 * 8 + (16 + 11) * 4 + (4 + 11) * 4));

    // Three of four entries of the first group go: its keys stay, the values' memory comes back.
    EvictionPlan plan;
    plan.evicted.assign(cache.indexes(), {0, 1, 3});
    cache.apply(plan);
    cache.settle();
    EXPECT_EQ(cache.stats().payload, kHeads * ((16 + 8) * kHeadDim / 2 + (3 + 8) * kHeadDim * 2));
    plan.evicted.assign(cache.indexes(), {0});
    cache.apply(plan);
    EXPECT_EQ(cache.stats().payload, kHeads * ((12 + 7) * kHeadDim / 2 + (3 + 8) * kHeadDim * 2));
    EXPECT_EQ(cache.stats().recoded, 0);
    cache.clear();
    EXPECT_EQ(cache.stats().payload, 0);
    EXPECT_EQ(cache.stats().metadata, 0);
}

TEST_P(CodedCache, NeighboursThatFitIntoOneGroupAreMerged) {
    std::mt19937 random(4);
    LayerCache cache(shape(), 0, GetParam(), kivi(8, true));
    LayerCache plain(shape(), 0, GetParam());
    std::int64_t seen = 0;
    at::manual_seed(1);
    for (int step = 0; step < 40; ++step) {
        const at::Tensor rows = at::randn({9, kHeads, kHeadDim});
        EvictionPlan plan;
        cache.append(rows, rows, seen);
        plain.append(rows, rows, seen);
        for (std::size_t set = 0; set < cache.indexes(); ++set) {
            plan.evicted.push_back(randomEntries(cache.index(set).count(), 16, random));
        }
        cache.apply(plan);
        plain.apply(plan);
        cache.settle();
        seen += 9;
        for (std::size_t set = 0; set < cache.indexes(); ++set) {
            const auto runs = cache.codedKeys().groups()->runs(set);
            for (std::size_t i = 1; i < runs.size(); ++i) {
                EXPECT_GT(runs[i - 1].count + runs[i].count, kGroup);
            }
            if (cache.index(set).count() > 0) {
                // Each coding adds half a step of at most 8 / 255; entries are coded a few times.
                EXPECT_LT((cache.orderedKeys(set) - plain.orderedKeys(set)).abs().max().item<float>(), 0.1F);
            }
        }
    }
    EXPECT_GT(cache.stats().recoded, 0);
}

TEST_P(CodedCache, MergedValuesAreCodedAnew) {
    LayerCache cache(shape(), 0, GetParam(), kivi(8, false));
    LayerCache plain(shape(), 0, GetParam());
    at::manual_seed(6);
    const at::Tensor rows = at::randn({30, kHeads, kHeadDim});
    EvictionPlan plan;
    for (std::size_t set = 0; set < cache.indexes(); ++set) {
        plan.evicted.push_back({2, 5, 25});
        plan.merges.push_back({{2, 3, 0.5F}, {5, 3, 0.25F}, {25, 28, 1.0F}, {5, 29, 0.5F}});
    }
    for (LayerCache* each : {&cache, &plain}) {
        each->append(rows, rows, 0);
        each->settle();
        each->apply(plan);
    }
    for (std::size_t set = 0; set < cache.indexes(); ++set) {
        EXPECT_LT((cache.orderedValues(set) - plain.orderedValues(set)).abs().max().item<float>(), 0.05F);
        EXPECT_GT((plain.orderedValues(set) - plain.orderedKeys(set)).abs().max().item<float>(), 0.2F);
    }
    EXPECT_EQ(cache.stats().recoded, kHeads) << "one coded value of each head";
}

TEST_P(CodedCache, AttentionIsThatOfTheDecodedRows) {
    at::manual_seed(8);
    for (const auto& [type, isTurned] :
         {std::pair{at::kFloat, false}, std::pair{at::kDouble, false}, std::pair{at::kBFloat16, false},
          std::pair{at::kFloat, true}, std::pair{at::kDouble, true}, std::pair{at::kBFloat16, true}}) {
        LayerCache cache(shape(type), 0, GetParam(), isTurned ? turned() : kivi(2, true));
        std::vector<std::int64_t> held;
        for (const std::int64_t chunk : {20, 1, 7}) {
            const at::Tensor rows = at::randn({chunk, kHeads, kHeadDim});
            held.assign(cache.held().begin(), cache.held().end());
            cache.append(rows.to(type), rows.flip(0).to(type), 0);
            const at::Tensor queries = at::randn({chunk, 3 * kHeads, kHeadDim}).to(type);
            const auto result = attendEntries(cache, queries, held, true);
            std::vector<at::Tensor> keys;
            std::vector<at::Tensor> values;
            for (std::size_t set = 0; set < cache.indexes(); ++set) {
                keys.push_back(cache.orderedKeys(set));
                values.push_back(cache.orderedValues(set));
            }
            const auto expected = kernels::attentionReference({.queries = queries,
                                                               .keys = at::cat(keys),
                                                               .values = at::cat(values),
                                                               .held = held,
                                                               .scale = 1.0 / std::sqrt(8.0),
                                                               .wantsMass = true});
            // The matrix is orthogonal up to the rounding of float32.
            const double tolerance = type == at::kBFloat16 ? 2e-2 : type == at::kFloat || isTurned ? 1e-5 : 1e-12;
            EXPECT_TRUE(at::allclose(result.context, expected.context, tolerance, tolerance));
            EXPECT_TRUE(at::allclose(result.mass, expected.mass, 1e-4, 1e-4));
            EvictionPlan plan;
            plan.evicted.assign(cache.indexes(), {1, 2});
            cache.apply(plan);
            cache.settle();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Heads, CodedCache, ::testing::Bool(),
                         [](const auto& tested) { return tested.param ? "PerHead" : "Shared"; });

}  // namespace
}  // namespace kvist
