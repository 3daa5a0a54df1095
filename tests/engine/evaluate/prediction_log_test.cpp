// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/prediction_log.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "engine/evaluate/prediction_store.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

constexpr std::int64_t kRows = 40;
constexpr std::int64_t kVocabulary = 500;

/// Predictions as sharp as a model's, and others that differ from them a little.
struct Predictions {
    at::Tensor base;
    at::Tensor other;
    std::vector<std::int32_t> next;

    Predictions() {
        at::manual_seed(5);
        base = at::randn({kRows, kVocabulary}) * 3;
        other = base + at::randn({kRows, kVocabulary}) * 0.3;
        for (std::int32_t row = 0; row < kRows; ++row) {
            next.push_back(row * 7 % kVocabulary);
        }
    }

    LogitBlock block(const at::Tensor& logits, std::int64_t first, std::int64_t count) const {
        return {logits.narrow(0, first, count),
                std::span(next).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)), first};
    }

    PredictionLog logged(std::int64_t top) const {
        PredictionLog log(kRows, kVocabulary, top);
        log.append(block(base, 0, 15));
        log.append(block(base, 15, kRows - 15));
        return log;
    }

    /// By the definition, in float64.
    std::vector<double> exactKl() const {
        const at::Tensor p = base.to(at::kDouble).log_softmax(1);
        const at::Tensor q = other.to(at::kDouble).log_softmax(1);
        const at::Tensor kl = (p.exp() * (p - q)).sum(1).contiguous();
        return {kl.data_ptr<double>(), kl.data_ptr<double>() + kRows};
    }
};

TEST(PredictionLog, EveryLogProbabilityInFloat16LosesATenThousandth) {
    const Predictions predictions;
    const PredictionLog log = predictions.logged(0);
    EXPECT_EQ(log.logged(), kRows);
    EXPECT_EQ(log.bytes(), kRows * (kVocabulary * 2 + 4 + 4));
    const PredictionDifferences differences = log.compare(predictions.block(predictions.other, 0, kRows), 0);
    const auto exact = predictions.exactKl();
    for (std::size_t i = 0; i < exact.size(); ++i) {
        EXPECT_NEAR(differences.kl[i], exact[i], 2e-4) << i;
        EXPECT_GT(exact[i], 1e-3) << "the case itself would show an error";
    }
}

TEST(PredictionLog, TheMostProbableAndTheRestAreALowerBound) {
    const Predictions predictions;
    const auto exact = predictions.exactKl();
    double before = 1e9;
    for (const std::int64_t top : {4, 32, 256}) {
        const PredictionLog log = predictions.logged(top);
        EXPECT_EQ(log.bytes(), kRows * (top * 6 + 4 + 4 + 4));
        const auto kl = log.compare(predictions.block(predictions.other, 0, kRows), 0).kl;
        double worst = 0;
        for (std::size_t i = 0; i < exact.size(); ++i) {
            EXPECT_LT(kl[i], exact[i] + 2e-4) << top;
            worst = std::max(worst, exact[i] - kl[i]);
        }
        EXPECT_LT(worst, before) << "more that is kept, less that is lost";
        before = worst;
    }
    EXPECT_LT(before, 1e-3) << "256 of 500 hold nearly everything";
}

TEST(PredictionLog, WhatEqualsDivergesByNothing) {
    const Predictions predictions;
    for (const std::int64_t top : {0, 32}) {
        const auto same = predictions.logged(top).compare(predictions.block(predictions.base, 0, kRows), 0);
        for (std::size_t i = 0; i < same.kl.size(); ++i) {
            EXPECT_NEAR(same.kl[i], 0, 2e-6);
            EXPECT_GE(same.kl[i], -1e-6);
            EXPECT_NEAR(same.deltaP[i], 0, 1e-7);
            EXPECT_EQ(same.sameTop[i], 1);
        }
    }
}

TEST(PredictionLog, RightTokenAndTopChoiceAreExact) {
    const Predictions predictions;
    const auto all = predictions.logged(8).compare(predictions.block(predictions.other, 0, kRows), 0);
    const at::Tensor p = predictions.base.softmax(1);
    const at::Tensor q = predictions.other.softmax(1);
    for (std::int64_t row = 0; row < kRows; ++row) {
        const std::int64_t next = predictions.next[static_cast<std::size_t>(row)];
        EXPECT_NEAR(all.deltaP[static_cast<std::size_t>(row)], (q[row][next] - p[row][next]).item<double>(), 1e-6);
        EXPECT_EQ(all.sameTop[static_cast<std::size_t>(row)], p[row].argmax().equal(q[row].argmax()) ? 1 : 0);
    }
    const auto part = predictions.logged(8).compare(predictions.block(predictions.other, 20, 5), 20);
    EXPECT_EQ(part.kl, std::vector<float>(all.kl.begin() + 20, all.kl.begin() + 25));
}

TEST(PredictionLog, ACertainPredictionLeavesNothingBesideIt) {
    PredictionLog log(1, 6, 2);
    at::Tensor logits = at::full({1, 6}, -200.0);
    logits[0][3] = 200;
    const std::vector<std::int32_t> next = {3};
    log.append({logits, next, 0});
    EXPECT_NEAR(log.compare({logits, next, 0}, 0).kl[0], 0, 1e-6);
}

TEST(PredictionLog, RowsThatAreNotThereAreRefused) {
    const Predictions predictions;
    PredictionLog log(10, kVocabulary, 0);
    EXPECT_THAT([&] { log.append(predictions.block(predictions.base, 0, 11)); },
                throwsEngineError(ErrorKind::Internal, "room"));
    log.append(predictions.block(predictions.base, 0, 5));
    EXPECT_THAT([&] { log.compare(predictions.block(predictions.base, 0, 6), 0); },
                throwsEngineError(ErrorKind::Internal, "logged"));
}

class PredictionStoreTest : public ::testing::Test {
protected:
    static std::vector<float> kl(const PredictionLog& log, const Predictions& predictions) {
        return log.compare(predictions.block(predictions.other, 0, kRows), 0).kl;
    }
    std::size_t files() const {
        std::size_t count = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(m_folder.path())) {
            ++count;
        }
        return count;
    }

    testing::TemporaryFolder m_folder;
    Predictions m_predictions;
};

TEST_F(PredictionStoreTest, WhatIsSavedIsFound) {
    const PredictionStore store(m_folder.path() / "deep" / "folder");
    for (const std::int64_t top : {0, 16}) {
        const PredictionLog log = m_predictions.logged(top);
        EXPECT_FALSE(store.find("key" + std::to_string(top)).has_value());
        EXPECT_TRUE(store.save("key" + std::to_string(top), log));
        const auto found = store.find("key" + std::to_string(top));
        ASSERT_TRUE(found.has_value());
        EXPECT_EQ(found->top(), top);
        EXPECT_EQ(kl(*found, m_predictions), kl(log, m_predictions));
    }
}

TEST_F(PredictionStoreTest, ADamagedFileCountsAsMissingAndIsReplaced) {
    const PredictionStore store(m_folder.path());
    const PredictionLog log = m_predictions.logged(16);
    ASSERT_TRUE(store.save("key", log));
    const auto path = m_folder.path() / "key.predictions";
    const auto size = std::filesystem::file_size(path);
    std::filesystem::resize_file(path, size - 1);
    EXPECT_FALSE(store.find("key").has_value());
    ASSERT_TRUE(store.save("key", log));
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(100).put('x');
    EXPECT_FALSE(store.find("key").has_value());
    m_folder.write("key.predictions", "short");
    EXPECT_FALSE(store.find("key").has_value());
    ASSERT_TRUE(store.save("key", log));
    EXPECT_TRUE(store.find("key").has_value());
    EXPECT_EQ(files(), 1u) << "nothing half written stays";
}

TEST_F(PredictionStoreTest, TheLimitHoldsAndWhatWasUsedLongestAgoGoes) {
    const PredictionLog log = m_predictions.logged(0);
    const PredictionStore store(m_folder.path(), 2 * log.bytes() + 1000);
    const auto age = [&](const std::string& key, int hours) {
        std::filesystem::last_write_time(m_folder.path() / (key + ".predictions"),
                                         std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
    };
    ASSERT_TRUE(store.save("first", log));
    ASSERT_TRUE(store.save("second", log));
    age("first", 3);
    age("second", 2);
    ASSERT_TRUE(store.find("first").has_value()) << "which makes it the one that was used last";
    ASSERT_TRUE(store.save("third", log));
    EXPECT_TRUE(store.find("first").has_value());
    EXPECT_FALSE(store.find("second").has_value());
    EXPECT_FALSE(PredictionStore(m_folder.path(), log.bytes() - 1).save("large", log));
    EXPECT_FALSE(PredictionStore({}).save("key", log));
    EXPECT_FALSE(PredictionStore({}).find("key").has_value());
    EXPECT_FALSE(PredictionStore("/proc/no/such/folder").save("key", log)) << "a disk that refuses it is no error";
}

}  // namespace
}  // namespace kvist
