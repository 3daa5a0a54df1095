// SPDX-License-Identifier: GPL-3.0-or-later
// The table of policies in engine/policies/README.md against the catalog.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/api/policy_catalog.h"
#include "tests/engine/support/golden_files.h"

namespace kvist {
namespace {

std::string cardTable() {
    std::string table = "| policy | needs | saves | costs | source |\n|---|---|---|---|---|\n";
    for (const PolicyInfo& info : policyCatalog()) {
        const std::string source =
            info.paper.empty() ? "" : info.paper + (info.isReconstruction ? "; a reconstruction" : "");
        table +=
            "| `" + info.id + "` | " + info.needs + " | " + info.saves + " | " + info.costs + " | " + source + " |\n";
    }
    return table;
}

TEST(PolicyCards, SayWhatAPolicyNeedsSavesAndCosts) {
    for (const PolicyInfo& info : policyCatalog()) {
        EXPECT_FALSE(info.needs.empty() || info.saves.empty() || info.costs.empty()) << info.id;
    }
    EXPECT_EQ(policyInfo("full").saves, "nothing");
    EXPECT_THAT(policyInfo("snapkv").needs, ::testing::HasSubstr("last 32 tokens"));
    EXPECT_THAT(policyInfo("h2o").needs, ::testing::HasSubstr("attention of every query"));
    EXPECT_THAT(policyInfo("triattention").needs, ::testing::HasSubstr("calibration"));
    EXPECT_THAT(policyInfo("kvzip").needs, ::testing::HasSubstr("extra passes"));
}

TEST(PolicyCards, TheTableOfTheDocumentationIsTheCatalogs) {
    const std::string readme =
        testing::readBytes(testing::dataFolder() / ".." / ".." / "engine" / "policies" / "README.md");
    EXPECT_NE(readme.find(cardTable()), std::string::npos) << "the table should be\n" << cardTable();
}

}  // namespace
}  // namespace kvist
