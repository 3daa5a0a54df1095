// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/run_key.h"

#include <gmock/gmock.h>

#include <functional>
#include <set>

#include "engine/api/evaluation_catalog.h"
#include "experiments/run_config_json.h"

namespace kvist::experiments {
namespace {

RunConfig plainConfig() {
    RunConfig config;
    config.model = {"/models/a", "cpu", "float32", 2};
    config.text = {"/texts/a.txt", Segmentation::Lines};
    config.policy = "attention-score";
    config.policyParameters = {{"sinks", std::int64_t{4}}, {"recent", std::int64_t{32}}};
    config.budget = 512;
    config.warm = 1024;
    config.score = 512;
    return config;
}

TEST(RunKey, IsStable) {  // keys in users' stores rely on it; the value is computed by Python's hashlib
    EXPECT_EQ(runKey(plainConfig(), "model", "text"),
              "09ac4be0b3e8676a1d0427a241e8e62da23e3ebfb47f9ce46479badc79e604d9");
}

TEST(RunKey, FollowsContentNotPlace) {
    const std::string key = runKey(plainConfig(), "model", "text");
    RunConfig moved = plainConfig();
    moved.model.path = "/elsewhere/b";
    moved.text.file = "/elsewhere/b.txt";
    EXPECT_EQ(runKey(moved, "model", "text"), key);
    EXPECT_NE(runKey(moved, "model 2", "text"), key);
    EXPECT_NE(runKey(moved, "model", "text 2"), key);
}

TEST(RunKey, SeesEverythingThatDefinesTheMeasurement) {
    const std::vector<std::function<void(RunConfig&)>> changes = {
        [](RunConfig& c) { c.model.device = "cuda"; },
        [](RunConfig& c) { c.model.dtype = "bfloat16"; },
        [](RunConfig& c) { c.text.segments = Segmentation::Whole; },
        [](RunConfig& c) { c.text.field = "body"; },
        [](RunConfig& c) { c.policy = "window"; },
        [](RunConfig& c) { c.policyParameters["sinks"] = std::int64_t{0}; },
        [](RunConfig& c) { c.budget = 256; },
        [](RunConfig& c) { c.evaluation = "speed"; },
        [](RunConfig& c) { c.evaluationParameters["samples"] = std::int64_t{1}; },
        [](RunConfig& c) { c.warm = 0; },
        [](RunConfig& c) { c.score = 1; },
        [](RunConfig& c) { c.depth = 1; },
        [](RunConfig& c) { c.chunk = 1; },
        [](RunConfig& c) { c.seed = 1; },
        [](RunConfig& c) { c.repeat = 1; },
    };
    std::set<std::string> keys = {runKey(plainConfig(), "model", "text")};
    for (const auto& change : changes) {
        RunConfig config = plainConfig();
        change(config);
        keys.insert(runKey(config, "model", "text"));
    }
    EXPECT_EQ(keys.size(), changes.size() + 1);
}

TEST(RunKey, SeesThreadsOnlyWhereTimeIsMeasured) {
    RunConfig two = plainConfig();
    RunConfig four = plainConfig();
    four.model.threads = 4;
    EXPECT_EQ(runKey(two, "m", "t"), runKey(four, "m", "t"));
    two.evaluation = four.evaluation = "speed";
    EXPECT_NE(runKey(two, "m", "t"), runKey(four, "m", "t"));
}

TEST(RunKey, BaselineIsTheFullCacheOfTheSame) {
    const RunConfig baseline = baselineOf(plainConfig());
    EXPECT_EQ(baseline.policy, "full");
    EXPECT_EQ(baseline.budget, 0);
    EXPECT_TRUE(baseline.policyParameters.empty());
    EXPECT_EQ(baseline.warm, 1024);
    EXPECT_EQ(baselineOf(baseline), baseline);
}

TEST(RunKey, BaselineKeepsTheProtocolAndIsNotComparedWithItself) {
    RunConfig config = plainConfig();
    const std::string plain = runKey(baselineOf(config), "m", "t");
    config.evaluationParameters["divergence"] = true;
    EXPECT_EQ(runKey(baselineOf(config), "m", "t"), plain) << "one full run serves both";
    config.evaluationParameters["protocol"] = std::string("prefill-then-score");
    EXPECT_NE(runKey(baselineOf(config), "m", "t"), plain);
    EXPECT_NE(runKey(config, "m", "t"), runKey(plainConfig(), "m", "t"));
}

TEST(RunKey, ParametersThatCameLaterLeaveOldKeysAlone) {
    for (const char* id : {"perplexity", "speed"}) {
        const auto& specs = evaluationInfo(id).parameters;
        const ParameterMap asBefore = id == std::string("speed")
                                          ? ParameterMap{{"warmups", std::int64_t{3}}, {"samples", std::int64_t{20}}}
                                          : ParameterMap{};
        EXPECT_EQ(completed(specs, {}, id), asBefore) << "what has been added since is not there at its default";
    }
}

TEST(RunConfigJson, ComesBackTheSame) {
    RunConfig config = plainConfig();
    config.policyParameters["decay"] = 1.0;
    config.policyParameters["normalise"] = true;
    config.policyParameters["mode"] = std::string("mean");
    config.evaluationParameters = {{"samples", std::int64_t{20}}};
    config.seed = ~std::uint64_t{0};
    config.repeat = 2;
    config.depth = 7;
    EXPECT_EQ(runConfigOf(nlohmann::json::parse(toJson(config).dump())), config);
}

}  // namespace
}  // namespace kvist::experiments
