// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/kernels/rotary.h"
#include "engine/policies/calibration/calibration_file.h"
#include "engine/policies/calibration/calibration_store.h"
#include "engine/policies/calibration/calibrator.h"
#include "engine/policies/calibration/distant_attention.h"
#include "engine/policies/calibration/query_statistics.h"
#include "engine/policies/calibration/text_overlap.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/loaded_models.h"
#include "tests/engine/support/recording_observer.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

using testing::RecordingObserver;
using testing::TemporaryFolder;

Projection rotatedProjection(const at::Tensor& queries, const at::Tensor& keys, const RotaryAngles& angles) {
    Projection result{queries.clone(), keys.clone(), keys.clone()};
    kernels::rotateInPlace(result.queries, angles.cos, angles.sin);
    kernels::rotateInPlace(result.keys, angles.cos, angles.sin);
    return result;
}

TEST(QueryStatistics, AreMeansBeforeRotation) {
    // Queries 1 and i in the one band of the first head, 2 and 2 in that of the second.
    const at::Tensor queries = at::tensor({1., 0., 2., 0., 0., 1., 2., 0.}, at::kDouble).view({2, 2, 2});
    const RotaryAngles angles = RotaryEmbedding(2, 10000, at::kDouble).angles(5, 2);
    QueryStatistics statistics(1, 2, 2);
    statistics.add(0, rotatedProjection(queries, queries, angles), angles);
    const at::Tensor expected = at::tensor({.5, .5, 1., 2., 0., 2.}, at::kFloat).view({1, 2, 3, 1});
    EXPECT_LT((statistics.values() - expected).abs().max().item<double>(), 1e-6);

    // A factor of the angles is taken out.
    const RotaryAngles scaled{angles.cos * 1.3, angles.sin * 1.3};
    QueryStatistics same(1, 2, 2);
    same.add(0, rotatedProjection(queries, queries, scaled), scaled);
    EXPECT_LT((same.values() - expected).abs().max().item<double>(), 1e-6);
}

TEST(DistantAttention, IsTheShareBetweenSinksAndRecentEntries) {
    // Equal logits: query i pays 1 / (i + 1) to each entry, of which i - 2 - 3 + 1 lie between.
    constexpr std::int64_t kTokens = 140;
    const Projection equal{at::zeros({kTokens, 4, 8}), at::randn({kTokens, 2, 8}), at::randn({kTokens, 2, 8})};
    DistantAttention distant(1, 2, 2, 3);
    distant.add(0, equal, {});
    double sum = 0;
    for (int i = 5; i < kTokens; ++i) {
        sum += (i - 4.0) / (i + 1);
    }
    EXPECT_LT((distant.values() - sum / (kTokens - 5)).abs().max().item<double>(), 1e-6);
}

TEST(DistantAttention, TellsHeadsApart) {
    // Keys are unit vectors; queries of the second head look for entry 4, those of the first for the first.
    constexpr std::int64_t kTokens = 16;
    at::Tensor queries = at::zeros({kTokens, 2, kTokens});
    queries.select(1, 0).select(1, 0).fill_(100);
    queries.select(1, 1).select(1, 4).fill_(100);
    const at::Tensor keys = at::eye(kTokens).unsqueeze(1).expand({kTokens, 2, kTokens}).contiguous();
    DistantAttention distant(1, 2, 1, 3);
    distant.add(0, {queries, keys, keys}, {});
    const at::Tensor values = distant.values();
    EXPECT_LT(values[0][0].item<double>(), 0.01);
    // Queries 4, 5 and 6 see entry 4 as a recent one; all of 7 … 15 see it far off.
    EXPECT_NEAR(values[0][1].item<double>(), 9.0 / 12, 0.01);
}

TEST(Calibrator, MeasuresEveryLayerAndReportsTokens) {
    const Decoder decoder = testing::loadDecoder(testing::tinyModel("untied"), at::kFloat);
    const ModelConfig& config = decoder.config();
    RecordingObserver observer;
    const auto tokens = testing::someTokens(100);
    const Calibration statistics = calibrate(decoder, {}, tokens, observer, {});
    EXPECT_EQ(statistics.values.sizes(),
              (std::vector<std::int64_t>{config.layers, config.queryHeads, 3, config.headDim / 2}));
    const at::Tensor mean = at::hypot(statistics.values.select(2, 0), statistics.values.select(2, 1));
    EXPECT_TRUE((statistics.values.select(2, 2) + 1e-6).ge(mean).all().item<bool>());
    EXPECT_GT(mean.min().item<double>(), 0);
    EXPECT_EQ(observer.phases, std::vector{RunPhase::Calibrating});
    EXPECT_EQ(observer.progress.back().first, observer.progress.back().second);
    EXPECT_EQ(calibrate(decoder, {}, tokens, observer, {}).digest, statistics.digest);

    const CalibrationRequest distant{CalibrationKind::DistantAttention, 2, 3};
    const at::Tensor shares = calibrate(decoder, distant, tokens, observer, {}).values;
    EXPECT_EQ(shares.sizes(), (std::vector<std::int64_t>{config.layers, config.kvHeads}));
    EXPECT_GT(shares.min().item<double>(), 0);
    EXPECT_LT(shares.max().item<double>(), 1);
}

TEST(Calibrator, RefusesWhatIsTooShortAndStops) {
    const Decoder decoder = testing::loadDecoder(testing::tinyModel("untied"), at::kFloat);
    SilentObserver silent;
    const auto tokens = testing::someTokens(100);
    EXPECT_THAT(
        [&] {
            calibrate(decoder, {CalibrationKind::DistantAttention, 64, 256}, tokens, silent, {});
        },
        testing::throwsEngineError(ErrorKind::InvalidInput, "256 recent"));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THAT([&] { calibrate(decoder, {}, tokens, silent, stop.get_token()); },
                testing::throwsEngineError(ErrorKind::Cancelled, ""));
}

TEST(CalibrationFile, ComesBackAndIsRefusedWhenDamaged) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "deeper" / "one.json";
    const at::Tensor values = at::randn({2, 3});
    EXPECT_FALSE(readCalibration(file, "key"));
    ASSERT_TRUE(writeCalibration(file, "key", {values, digestOf(values)}));
    const auto back = readCalibration(file, "key");
    ASSERT_TRUE(back);
    EXPECT_TRUE(at::equal(back->values, values));
    EXPECT_EQ(back->digest, digestOf(values));
    EXPECT_FALSE(readCalibration(file, "another key"));
    std::string text = testing::readBytes(file);
    text[text.find("values") + 12] ^= 1;
    folder.write("deeper/one.json", text);
    EXPECT_FALSE(readCalibration(file, "key"));
    folder.write("deeper/one.json", text.substr(0, 40));
    EXPECT_FALSE(readCalibration(file, "key"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}), 1) << "nothing unfinished";
}

TEST(TextOverlap, LongLinesTell) {
    const TemporaryFolder folder;
    const std::string line(100, 'x');
    const auto one = folder.write("one", "first\n" + line + "\nlast");
    EXPECT_TRUE(shareLines(one, folder.write("two", "a\n" + line + "\r\nb\n")));
    EXPECT_FALSE(shareLines(one, folder.write("three", "first\nlast\n" + line + "y\n")));
    EXPECT_FALSE(shareLines(one, folder.write("four", "")));
}

class CalibrationStoreTest : public ::testing::Test {
protected:
    const TemporaryFolder m_folder;
    const std::string m_text = testing::sampleText("persuasion.txt").string();
    RecordingObserver m_observer;

    static const LoadedModel& model() {
        static const auto loaded = testing::loadDemoModel(at::kFloat);
        return *loaded;
    }

    std::filesystem::path onlyFile() const {
        return std::filesystem::directory_iterator(m_folder.path() / "calibrations")->path();
    }
};

TEST_F(CalibrationStoreTest, MakesOnceKeepsAndMakesAgainWhatIsBroken) {
    std::string digest;
    {
        CalibrationStore store(m_folder.path(), m_text);
        digest = store.obtain(model(), {}, "", m_observer, {}).digest;
        EXPECT_EQ(m_observer.phases, std::vector{RunPhase::Calibrating});
        store.obtain(model(), {}, "", m_observer, {});
        EXPECT_EQ(m_observer.phases.size(), 1U) << "remembered";
    }
    CalibrationStore found(m_folder.path(), m_text);
    EXPECT_EQ(found.obtain(model(), {}, "", m_observer, {}).digest, digest);
    EXPECT_EQ(m_observer.phases.size(), 1U) << "found in its file";
    std::filesystem::resize_file(onlyFile(), 100);
    CalibrationStore broken(m_folder.path(), m_text);
    EXPECT_EQ(broken.obtain(model(), {}, "", m_observer, {}).digest, digest);
    EXPECT_EQ(m_observer.phases.size(), 2U) << "made again";
    EXPECT_GT(std::filesystem::file_size(onlyFile()), 1000U);
    EXPECT_THAT(broken.noteOf({{}, digest}), ::testing::HasSubstr("persuasion.txt, " + digest));
}

TEST_F(CalibrationStoreTest, WorksWithoutAFolderAndRefusesOverlapAndNoText) {
    CalibrationStore store("", m_text);
    const CalibrationRequest distant{CalibrationKind::DistantAttention, 4, 64};
    EXPECT_GT(store.obtain(model(), distant, testing::sampleText("wiki.test.raw").string(), m_observer, {})
                  .values.max()
                  .item<double>(),
              0);
    EXPECT_THAT([&] { store.obtain(model(), distant, m_text, m_observer, {}); },
                testing::throwsEngineError(ErrorKind::InvalidInput, "another text"));
    CalibrationStore none("", "");
    EXPECT_THAT([&] { none.obtain(model(), distant, "", m_observer, {}); },
                testing::throwsEngineError(ErrorKind::InvalidInput, "text"));
}

}  // namespace
}  // namespace kvist
