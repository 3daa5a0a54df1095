// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>

#include "engine/api/metric_catalog.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/recording_observer.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::throwsEngineError;

const std::string kDemo = KVIST_RESOURCES "/demo_model";
const std::string kWells = KVIST_RESOURCES "/texts/war_of_the_worlds.txt";
const std::string kPersuasion = KVIST_RESOURCES "/texts/persuasion.txt";

class NoteTaker : public SilentObserver {
public:
    void onNote(std::string_view note) override { notes.emplace_back(note); }

    std::vector<std::string> notes;
};

class EngineTest : public ::testing::Test {
protected:
    EngineTest() {
        m_config.model = {.path = kDemo, .device = "cpu", .dtype = "float32", .threads = 2};
        m_config.text = {kWells, Segmentation::Whole};
        m_config.policy = "attention-score";
        m_config.budget = 64;
        m_config.warm = 200;
        m_config.score = 64;
    }

    RunResult run(std::stop_token stop = {}) { return m_engine->run(m_config, m_observer, stop); }

    /// Requests a stop after `delay` and returns how long the call went on after that.
    template <typename Call>
    milliseconds timeToCancel(milliseconds delay, Call call) {
        std::stop_source stop;
        steady_clock::time_point requested;
        std::jthread canceller([&] {
            std::this_thread::sleep_for(delay);
            requested = steady_clock::now();
            stop.request_stop();
        });
        EXPECT_THAT([&] { call(stop.get_token()); }, throwsEngineError(ErrorKind::Cancelled, ""));
        const auto returned = steady_clock::now();
        canceller.join();
        return std::chrono::duration_cast<milliseconds>(returned - requested);
    }

    std::unique_ptr<Engine> m_engine = makeEngine();
    testing::RecordingObserver m_observer;
    RunConfig m_config;
};

TEST_F(EngineTest, ARunSaysWhatItMeasuredAndUnderWhichCircumstances) {
    const RunResult result = run();
    EXPECT_EQ(result.tokenNll.size(), 64u);
    EXPECT_EQ(result.dtype, "float32");
    EXPECT_EQ(result.device, "cpu");
    EXPECT_EQ(result.threads, 2);
    EXPECT_EQ(result.tokenizer, "SentencePiece");
    EXPECT_EQ(result.runner, "layer by layer");
    EXPECT_EQ(result.machine, m_engine->machine().summary());
    EXPECT_EQ(result.modelFingerprint, m_engine->inspect(kDemo).fingerprint);
    EXPECT_FALSE(result.libtorchVersion.empty());
    EXPECT_GT(result.metrics.at("seconds"), 0);
    EXPECT_EQ(m_observer.phases.front(), RunPhase::Loading);
    for (const auto& [name, value] : result.metrics) {
        EXPECT_NO_THROW(metricInfo(name));
        EXPECT_TRUE(std::isfinite(value)) << name;
    }
}

TEST_F(EngineTest, RunsRepeatBitForBitWhateverRanBetween) {
    const RunResult first = run();
    m_config.policy = "window";
    m_config.model.dtype = "bfloat16";
    const RunResult other = run();
    EXPECT_EQ(other.dtype, "bfloat16");
    EXPECT_NE(other.keptDigest, first.keptDigest);
    m_config.policy = "attention-score";
    m_config.model.dtype = "float32";
    const RunResult again = run();
    EXPECT_EQ(again.tokenNll, first.tokenNll);
    EXPECT_EQ(again.keptDigest, first.keptDigest);
    const RunResult fresh = makeEngine()->run(m_config, m_observer, {});
    EXPECT_EQ(fresh.tokenNll, first.tokenNll);
}

TEST_F(EngineTest, EveryTypeRuns) {
    double exact = 0;
    for (const char* dtype : {"float64", "float32", "bfloat16", "float16", "auto"}) {
        m_config.model.dtype = dtype;
        const double nll = run().metrics.at("nll");
        if (exact == 0) {
            exact = nll;
        }
        EXPECT_NEAR(nll, exact, 0.05) << dtype;
    }
}

TEST_F(EngineTest, TheModelStaysLoaded) {
    run();
    m_observer.phases.clear();
    run();
    EXPECT_THAT(m_observer.phases, ::testing::Not(::testing::Contains(RunPhase::Loading)));
}

TEST_F(EngineTest, SpeedRuns) {
    m_config.evaluation = "speed";
    m_config.evaluationParameters = {{"samples", std::int64_t{4}}};
    m_config.depth = 300;
    const RunResult result = run();
    EXPECT_EQ(result.stepSeconds.size(), 4u);
    EXPECT_EQ(result.metrics.at("decode_depth"), 300);
    EXPECT_GT(result.metrics.at("decode_tok_s_median"), 0);
}

TEST_F(EngineTest, ACalibrationIsMadeOnceAndNamedInTheResult) {
    const testing::TemporaryFolder folder;
    const EngineOptions options{.cacheFolder = folder.path().string(), .calibrationText = kPersuasion};
    m_config.policy = "triattention";
    const auto calibrations = [&] {
        return std::count(m_observer.phases.begin(), m_observer.phases.end(), RunPhase::Calibrating);
    };
    const auto engine = makeEngine(options);
    const RunResult first = engine->run(m_config, m_observer, {});
    EXPECT_EQ(calibrations(), 1);
    EXPECT_THAT(first.notes, ::testing::Contains(::testing::HasSubstr("calibrated with persuasion.txt")));
    EXPECT_EQ(engine->run(m_config, m_observer, {}).tokenNll, first.tokenNll);
    const RunResult later = makeEngine(options)->run(m_config, m_observer, {});
    EXPECT_EQ(later.tokenNll, first.tokenNll);
    EXPECT_EQ(later.notes, first.notes);
    EXPECT_EQ(calibrations(), 1) << "found in its file";

    m_config.text.file = kPersuasion;
    EXPECT_THAT([&] { engine->run(m_config, m_observer, {}); },
                throwsEngineError(ErrorKind::InvalidInput, "another text"));
    m_config.text.file = kWells;
    EXPECT_THAT([&] { makeEngine()->run(m_config, m_observer, {}); },
                throwsEngineError(ErrorKind::InvalidInput, "calibrated with a text"));
}

TEST_F(EngineTest, TheFullCachesPredictionsOutliveTheEngine) {
    const testing::TemporaryFolder folder;
    const EngineOptions options{.cacheFolder = folder.path().string(), .calibrationText = {}};
    m_config.evaluationParameters["divergence"] = true;
    const RunResult first = makeEngine(options)->run(m_config, m_observer, {});
    EXPECT_THAT(m_observer.phases, ::testing::Contains(RunPhase::Baseline));
    m_observer = {};
    const RunResult later = makeEngine(options)->run(m_config, m_observer, {});
    EXPECT_THAT(m_observer.phases, ::testing::Not(::testing::Contains(RunPhase::Baseline)));
    EXPECT_GT(first.metrics.at("kl_mean"), 0);
    EXPECT_EQ(later.metrics.at("kl_mean"), first.metrics.at("kl_mean"));

    m_observer = {};
    m_config.model.dtype = "bfloat16";
    makeEngine(options)->run(m_config, m_observer, {});
    EXPECT_THAT(m_observer.phases, ::testing::Contains(RunPhase::Baseline)) << "another type predicts otherwise";
}

TEST_F(EngineTest, APolicyThatNeedsAPromptRunsUnderItsProtocolAlone) {
    m_config.policy = "kvzip";
    EXPECT_THAT([&] { run(); }, throwsEngineError(ErrorKind::InvalidInput, "prefill-then-score"));
    m_config.evaluationParameters["protocol"] = std::string("prefill-then-score");
    const RunResult result = run();
    EXPECT_EQ(result.tokenNll.size(), 64u);
    EXPECT_GE(result.metrics.at("kv_payload_peak_bytes"), 200 * 2 * 6 * 2 * 64 * 4);
}

TEST_F(EngineTest, WrongConfigurationsAreRefusedByName) {
    const auto refuses = [&](ErrorKind kind, const std::string& message, auto change) {
        const RunConfig good = m_config;
        change(m_config);
        EXPECT_THAT([&] { run(); }, throwsEngineError(kind, message));
        m_config = good;
    };
    using Kind = ErrorKind;
    refuses(Kind::InvalidInput, "window", [](RunConfig& c) { c.policy = "widow"; });
    refuses(Kind::InvalidInput, "recent", [](RunConfig& c) { c.policyParameters["recnt"] = std::int64_t{8}; });
    refuses(Kind::InvalidInput, "budget 4", [](RunConfig& c) { c.budget = 4; });
    refuses(Kind::InvalidInput, "perplexity", [](RunConfig& c) { c.evaluation = "perplexty"; });
    refuses(Kind::InvalidInput, "samples", [](RunConfig& c) { c.evaluationParameters["samples"] = std::int64_t{0}; });
    refuses(Kind::InvalidInput, "chunk", [](RunConfig& c) { c.chunk = 0; });
    refuses(Kind::InvalidInput, "warm", [](RunConfig& c) { c.warm = -1; });
    refuses(Kind::InvalidInput, "score", [](RunConfig& c) { c.score = 0; });
    refuses(Kind::InvalidInput, "dtype", [](RunConfig& c) { c.model.dtype = "float8"; });
    refuses(Kind::InvalidInput, "device", [](RunConfig& c) { c.model.device = "gpu"; });
    refuses(Kind::InvalidInput, "depth", [](RunConfig& c) { c.evaluation = "speed"; });
    refuses(Kind::UnreadableFile, "/no/such/model", [](RunConfig& c) { c.model.path = "/no/such/model"; });
    refuses(Kind::UnreadableFile, "/no/such/text", [](RunConfig& c) { c.text.file = "/no/such/text"; });
    if (m_engine->machine().gpus.empty()) {
        refuses(Kind::Device, "cuda", [](RunConfig& c) { c.model.device = "cuda"; });
    }
    EXPECT_EQ(run().tokenNll.size(), 64u) << "an engine goes on after errors";
}

TEST_F(EngineTest, AFullCacheThatNoMemoryHoldsIsRefusedBeforehand) {
    m_config.policy = "full";
    m_config.evaluation = "speed";
    m_config.evaluationParameters = {};
    m_config.depth = std::int64_t{1} << 32;
    EXPECT_THAT([&] { run(); }, throwsEngineError(ErrorKind::OutOfMemory, "MiB"));
}

TEST_F(EngineTest, CancelReturnsWithinASecond) {
    run();  // loaded
    m_config.text = {KVIST_RESOURCES "/texts/wiki.test.raw", Segmentation::Lines};
    m_config.policy = "full";
    m_config.warm = 60000;
    EXPECT_LT(timeToCancel(milliseconds(1500), [&](std::stop_token stop) { run(stop); }), milliseconds(1000));
    m_config.policy = "attention-score";
    m_config.chunk = 1;
    EXPECT_LT(timeToCancel(milliseconds(700), [&](std::stop_token stop) { run(stop); }), milliseconds(1000));
    m_config.evaluation = "speed";
    m_config.evaluationParameters = {{"samples", std::int64_t{10000}}};
    m_config.depth = 1000;
    EXPECT_LT(timeToCancel(milliseconds(200), [&](std::stop_token stop) { run(stop); }), milliseconds(1000));
}

TEST_F(EngineTest, ACancelledRunLeavesNothingBehind) {
    const RunResult before = run();
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THAT([&] { run(stop.get_token()); }, throwsEngineError(ErrorKind::Cancelled, ""));
    EXPECT_EQ(run().tokenNll, before.tokenNll);
}

TEST_F(EngineTest, InspectWorksWhileARunGoesOn) {
    std::jthread other([&] {
        for (int i = 0; i < 5; ++i) {
            EXPECT_EQ(m_engine->inspect(kDemo).layers, 6);
            EXPECT_GT(m_engine->machine().cores, 0);
        }
    });
    EXPECT_EQ(run().tokenNll.size(), 64u);
}

TEST_F(EngineTest, GeneratesTextUnderAPolicy) {
    GenerationRequest request;
    request.model = m_config.model;
    request.prompt = "It was seven o'clock of a very warm evening in the Seeonee hills when";
    request.tokens = 24;
    std::string full;
    m_engine->generate(request, [&](std::string_view piece) { full += piece; }, m_observer, {});
    EXPECT_FALSE(full.empty());
    request.policy = "window";
    request.budget = 512;
    std::string windowed;
    m_engine->generate(request, [&](std::string_view piece) { windowed += piece; }, m_observer, {});
    EXPECT_EQ(windowed, full) << "a window that is not reached changes nothing";
    request.budget = 3;
    EXPECT_THAT([&] { m_engine->generate(request, [](std::string_view) {}, m_observer, {}); },
                throwsEngineError(ErrorKind::InvalidInput, "budget 3"));
    request.budget = 512;
    request.prompt.clear();
    EXPECT_THAT([&] { m_engine->generate(request, [](std::string_view) {}, m_observer, {}); },
                throwsEngineError(ErrorKind::InvalidInput, "prompt"));
}

TEST_F(EngineTest, AChatPromptIsTheUsersTurn) {
    const testing::TemporaryFolder folder;
    for (const char* name : {"config.json", "model.safetensors", "tokenizer.model"}) {
        std::filesystem::copy(kDemo + "/" + name, folder.path() / name);
    }
    NoteTaker observer;
    const auto generated = [&](const std::string& prompt, bool isChat) {
        GenerationRequest request;
        request.model = {folder.path().string(), "cpu", "float32", 0};
        request.prompt = prompt;
        request.tokens = 8;
        request.isChat = isChat;
        std::string text;
        m_engine->generate(request, [&](std::string_view piece) { text += piece; }, observer, {});
        return text;
    };
    const std::string plain = generated("The war", false);
    EXPECT_TRUE(observer.notes.empty());
    EXPECT_EQ(generated("The war", true), plain);
    EXPECT_THAT(observer.notes, ::testing::ElementsAre(::testing::HasSubstr("no chat template")));

    folder.write(
        "tokenizer_config.json",
        R"({"chat_template": "{{ '<|im_start|>system\\nBe kind.<|im_end|>\\n' }}{{ '<|im_start|>assistant\\n' }}"})");
    const std::string chat = generated("The war", true);
    EXPECT_EQ(chat, generated("<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nThe war<|im_end|>\n"
                              "<|im_start|>assistant\n",
                              false));
    EXPECT_NE(chat, plain);
    EXPECT_EQ(observer.notes.size(), 1u);

    m_config.model.path = folder.path().string();
    m_config.evaluation = "retrieval";
    m_config.evaluationParameters = {{"samples", std::int64_t{1}}, {"length", std::int64_t{256}}};
    const RunResult without = run();
    m_config.evaluationParameters["chat"] = std::string("auto");
    const RunResult with = run();
    EXPECT_TRUE(with.notes.empty());
    EXPECT_NE(with.texts, without.texts);
}

TEST_F(EngineTest, BrokenModelFoldersAreRefusedWithTheirFile) {
    const testing::TemporaryFolder folder;
    for (const char* name : {"config.json", "model.safetensors", "tokenizer.model"}) {
        std::filesystem::copy(kDemo + "/" + name, folder.path() / name);
    }
    m_config.model.path = folder.path().string();
    EXPECT_NO_THROW(run());
    std::filesystem::resize_file(folder.path() / "model.safetensors", 5'000'000);
    EXPECT_THAT([&] { run(); }, throwsEngineError(ErrorKind::UnreadableFile, "model.safetensors"));
    std::filesystem::remove(folder.path() / "model.safetensors");
    std::filesystem::copy(kDemo + "/model.safetensors", folder.path() / "model.safetensors");
    std::filesystem::remove(folder.path() / "tokenizer.model");
    EXPECT_THAT([&] { run(); }, throwsEngineError(ErrorKind::UnreadableFile, "tokenizer"));
}

}  // namespace
}  // namespace kvist
