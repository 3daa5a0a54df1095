// SPDX-License-Identifier: GPL-3.0-or-later
// The presets and the catalog.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/policies/policy_factory.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/golden_files.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

/// Those whose entries are in full precision, or are stores themselves.
std::set<std::string> policiesOf(const std::string& preset) {
    std::ifstream file(testing::dataFolder() / "../../experiments/presets" / (preset + ".json"));
    std::set<std::string> ids;
    const auto sweep = nlohmann::json::parse(file);
    for (const auto& policy : sweep.at("policies")) {
        if (!policy.contains("store")) {
            EXPECT_TRUE(ids.insert(policy.at("id")).second) << policy;
        }
    }
    return ids;
}

TEST(PresetPolicies, TheComparisonHasEveryPolicyAndTheStreamedOneThoseThatCanBeStreamed) {
    std::set<std::string> all;
    std::set<std::string> streamed;
    for (const PolicyInfo& info : policyCatalog()) {
        all.insert(info.id);
        if (!makePolicy(info.id, {})->needsPrompt()) {
            streamed.insert(info.id);
        }
    }
    EXPECT_EQ(policiesOf("policy_comparison"), all);
    EXPECT_EQ(policiesOf("streamed_comparison"), streamed);
}

TEST(PresetPolicies, APolicyThatNeedsAPromptIsRefusedWhereItIsStreamed) {
    RunConfig config;
    config.policy = "kvzip";
    EXPECT_THAT([&] { checkProtocol(config); },
                throwsEngineError(ErrorKind::InvalidInput, "choose protocol prefill-then-score"));
    config.evaluationParameters["protocol"] = std::string("article");
    EXPECT_THAT([&] { checkProtocol(config); }, throwsEngineError(ErrorKind::InvalidInput, "kvzip"));
    config.evaluationParameters["protocol"] = std::string("prefill-then-score");
    EXPECT_NO_THROW(checkProtocol(config));
    config.policy = "snapkv";
    config.evaluationParameters.clear();
    EXPECT_NO_THROW(checkProtocol(config));
    config.policy = "kvzip";
    config.evaluation = "speed";
    EXPECT_NO_THROW(checkProtocol(config)) << "speed has no protocol";
}

}  // namespace
}  // namespace kvist
