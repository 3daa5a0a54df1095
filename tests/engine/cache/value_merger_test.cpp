// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/cache/layer_cache.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using ::testing::ElementsAre;

/// Values of one head in ascending order of position.
std::vector<float> valuesOf(const LayerCache& cache, std::int64_t head) {
    const EntryIndex& index = cache.index(cache.indexes() == 1 ? 0 : static_cast<std::size_t>(head));
    std::vector<float> values;
    for (std::int64_t i = 0; i < index.count(); ++i) {
        values.push_back(cache.values()[head][static_cast<std::int64_t>(index.slot(i))][0].item<float>());
    }
    return values;
}

/// Value i + 1 at position i, ten times as much in the second head.
LayerCache counting(bool perHead, at::ScalarType type = at::kFloat) {
    LayerCache cache({1, 2, 2, 16, type, at::kCPU}, 0, perHead);
    const at::Tensor values = at::arange(1, 7).view({6, 1, 1}).expand({6, 2, 2}) * at::tensor({1, 10}).view({1, 2, 1});
    cache.append(at::zeros({6, 2, 2}, type), values.to(type), 0);
    return cache;
}

TEST(ValueMerge, AddsValuesAsTheyWereBeforeThePlan) {
    LayerCache cache = counting(false);
    cache.apply({{{1, 2}}, {{{1, 3, 0.5F}, {2, 3, 1}, {3, 5, 1}, {5, 5, -0.5F}}}});
    EXPECT_THAT(valuesOf(cache, 0), ElementsAre(1, 4 + 1 + 3, 5, 6 + 4 - 3));
    EXPECT_THAT(valuesOf(cache, 1), ElementsAre(10, 80, 50, 70));
}

TEST(ValueMerge, FollowsSlotsAfterEvictions) {
    LayerCache cache = counting(true);
    cache.apply({{{0}, {4, 5}}});  // the last rows move into the holes
    cache.apply({{{0}, {}}, {{{0, 4, 1}}, {{3, 0, 2}}}});
    EXPECT_THAT(valuesOf(cache, 0), ElementsAre(3, 4, 5, 6 + 2));
    EXPECT_THAT(valuesOf(cache, 1), ElementsAre(10 + 80, 20, 30, 40));
}

TEST(ValueMerge, SumsOfHalvesAreRoundedOnce) {
    LayerCache cache({1, 1, 1, 16, at::kBFloat16, at::kCPU}, 0, false);
    const at::Tensor values = at::tensor({256.0F, 0.5F, 0.5F, 0.5F, 0.5F}).view({5, 1, 1}).to(at::kBFloat16);
    cache.append(values, values, 0);
    cache.apply({{{1, 2, 3, 4}}, {{{1, 0, 1}, {2, 0, 1}, {3, 0, 1}, {4, 0, 1}}}});
    EXPECT_THAT(valuesOf(cache, 0), ElementsAre(258)) << "each half alone would be rounded away";
}

TEST(ValueMerge, EntriesThatAreNotThereAreProgrammingErrors) {
    using testing::throwsEngineError;
    LayerCache cache = counting(false);
    EXPECT_THAT([&] { cache.apply({{{1}}, {{{1, 6, 1}}}}); }, throwsEngineError(ErrorKind::Internal, "6"));
    EXPECT_THAT([&] { cache.apply({{{1}}, {{{-1, 3, 1}}}}); }, throwsEngineError(ErrorKind::Internal, "-1"));
    EXPECT_THAT([&] { cache.apply({{{1}}, {{}, {}}}); }, throwsEngineError(ErrorKind::Internal, "merges"));
}

}  // namespace
}  // namespace kvist
