// SPDX-License-Identifier: GPL-3.0-or-later
// Policies whose entries are held in another form: sweep file, plan, key and CSV.
#include <gmock/gmock.h>

#include <algorithm>

#include "engine/api/policy_catalog.h"
#include "experiments/csv_writer.h"
#include "experiments/run_config_json.h"
#include "experiments/run_key.h"
#include "experiments/sweep_file.h"
#include "tests/experiments/plan_facts.h"

namespace kvist::experiments {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFile = R"({
  "kvist_sweep": 1,
  "model": "fake",
  "text": { "file": "book.txt" },
  "contexts": [ { "warm": 512, "score": 64 } ],
  "budgets": [ 256 ],
  "policies": [
    { "id": "full" },
    { "id": "full", "store": { "id": "kivi", "key_bits": [2, 4] } },
    { "id": "window", "parameters": { "sinks": 4 }, "store": { "id": "kivi", "key_bits": 4, "value_bits": 2 } }
  ],
  "evaluations": [ { "id": "perplexity" } ]
})";

/// The catalog of builds without the engine has no stores.
class StoreAxes : public ::testing::Test {
protected:
    void SetUp() override {
        const auto& catalog = policyCatalog();
        if (std::none_of(catalog.begin(), catalog.end(), [](const PolicyInfo& info) { return info.id == "kivi"; })) {
            GTEST_SKIP() << "no stores without the engine";
        }
    }

    static Sweep sweep() {
        const auto sweep = parseSweep(kFile);
        EXPECT_TRUE(sweep) << (sweep ? "" : sweep.refusal().message);
        return sweep ? *sweep : Sweep{};
    }

    static std::vector<PlannedRun> runs() {
        const auto plan = makePlan(sweep(), plainFacts());
        EXPECT_TRUE(plan) << (plan ? "" : plan.refusal().message);
        return plan ? plan->runs : std::vector<PlannedRun>{};
    }
};

TEST_F(StoreAxes, AFileIsReadAndWrittenBack) {
    const Sweep read = sweep();
    ASSERT_EQ(read.policies.size(), 3U);
    EXPECT_EQ(read.policies[0].store, "");
    EXPECT_EQ(read.policies[1].store, "kivi");
    EXPECT_EQ(read.policies[1].storeParameters, (AxisMap{{"key_bits", "2, 4"}}));
    EXPECT_EQ(read.policies[2].storeParameters, (AxisMap{{"key_bits", "4"}, {"value_bits", "2"}}));
    const auto again = parseSweep(toJson(read));
    ASSERT_TRUE(again) << again.refusal().message;
    EXPECT_EQ(*again, read);
}

TEST_F(StoreAxes, MistakesAreNamed) {
    const auto refusal = [](const std::string& from, const std::string& to) {
        std::string file = kFile;
        file.replace(file.find(from), from.size(), to);
        const auto sweep = parseSweep(file);
        EXPECT_FALSE(sweep);
        return sweep ? std::string() : sweep.refusal().message;
    };
    EXPECT_THAT(refusal("\"id\": \"kivi\"", "\"id\": \"kivy\""), HasSubstr("kivi"));
    EXPECT_THAT(refusal("\"id\": \"kivi\"", "\"id\": \"window\""), HasSubstr("no store window"));
    EXPECT_THAT(refusal("key_bits", "key_bit"), HasSubstr("key_bits"));
    EXPECT_THAT(refusal("[2, 4]", "[2, 5]"), HasSubstr("key_bits"));
    EXPECT_THAT(refusal("{ \"id\": \"full\", \"store\"", "{ \"id\": \"turboquant\", \"store\""),
                HasSubstr("is a store itself"));
}

TEST_F(StoreAxes, StoresAreAxesAndHaveThePlainBaseline) {
    const auto all = runs();
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0].config.store, "");
    EXPECT_FALSE(all[0].isAddedBaseline);
    EXPECT_EQ(std::get<std::string>(all[1].config.storeParameters.at("key_bits")), "2");
    EXPECT_EQ(std::get<std::string>(all[2].config.storeParameters.at("key_bits")), "4");
    EXPECT_EQ(std::get<std::string>(all[1].config.storeParameters.at("value_bits")), "4") << "defaults filled in";
    EXPECT_EQ(all[3].config.policy, "window");
    EXPECT_EQ(all[3].config.budget, 256);
    for (const PlannedRun& run : all) {
        EXPECT_EQ(run.baselineKey, all[0].key);
        EXPECT_TRUE(run.isRunnable()) << run.refusal;
    }
    EXPECT_LT(all[1].kvBytes, all[2].kvBytes);
    EXPECT_LT(all[2].kvBytes, all[0].kvBytes);
}

TEST_F(StoreAxes, ABaselineIsAddedWhereOnlyAStoredFullCacheIsAskedFor) {
    Sweep only = sweep();
    only.policies.erase(only.policies.begin());
    const auto plan = makePlan(only, plainFacts());
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->runs.size(), 4U);
    EXPECT_TRUE(plan->runs[0].isAddedBaseline);
    EXPECT_EQ(plan->runs[0].config.store, "");
}

TEST_F(StoreAxes, KeysFollowStoresAndConfigurationsComeBack) {
    const auto all = runs();
    ASSERT_EQ(all.size(), 4U);
    EXPECT_NE(all[1].key, all[2].key);
    EXPECT_EQ(runConfigOf(toJson(all[3].config)), all[3].config);
    EXPECT_FALSE(toJson(all[0].config).contains("store")) << "keys of earlier runs stay what they are";
}

TEST_F(StoreAxes, TheCsvNamesThem) {
    RunRecord record;
    record.config = runs()[3].config;
    const std::string csv = toCsv({record});
    EXPECT_THAT(csv, HasSubstr(",store,store_parameters,"));
    EXPECT_THAT(csv, HasSubstr(R"(,kivi,"{""exempt_first"":0,)"));
}

}  // namespace
}  // namespace kvist::experiments
