// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/result_table.h"

#include <gtest/gtest.h>

namespace kvist::app {
namespace {

using experiments::RunRecord;
using experiments::RunState;

RunRecord windowRun() {
    RunRecord record;
    record.state = RunState::Finished;
    record.config.policy = "window";
    record.config.policyParameters = {{"sinks", std::int64_t{4}}};
    record.config.budget = 256;
    record.config.warm = 1024;
    record.config.score = 512;
    record.metrics = {{"perplexity", 54.0512}, {"perplexity_stderr", 1.234}, {"kv_payload_bytes", 1572864.0}};
    return record;
}

TEST(ResultTable, AlignsAndLeavesOutWhatNobodyMeasured) {
    RunRecord full;
    full.state = RunState::Failed;
    full.config.policy = "full";
    full.config.warm = 8;
    full.config.score = 8;
    EXPECT_EQ(resultTable({full, windowRun()}),
              "policy  parameters  budget  context    perplexity  KV memory  state\n"
              "full                             16                           failed\n"
              "window  sinks=4        256     1536  54.05 ± 1.23    1.5 MiB  finished\n");
}

TEST(ResultTable, ShowsWhatWasGivenBackAndWhereTextsPart) {
    RunRecord asked = windowRun();
    asked.config.evaluation = "retrieval";
    asked.config.evaluationParameters = {
        {"task", std::string("single")}, {"depth", 25.0}, {"length", std::int64_t{2048}}};
    asked.config.warm = asked.config.score = 0;
    asked.metrics = {
        {"retrieval_accuracy", 0.9}, {"retrieval_accuracy_low", 0.699}, {"retrieval_accuracy_high", 0.972}};
    RunRecord drawn = asked;
    drawn.config.evaluationParameters["depth"] = -1.0;
    RunRecord drift = windowRun();
    drift.config.evaluation = "drift";
    drift.config.evaluationParameters = {{"tokens", std::int64_t{128}}};
    drift.config.score = 0;
    drift.metrics = {{"drift_equal_share", 0.5}, {"drift_first_divergence", 12.0}};
    EXPECT_EQ(
        resultTable({asked, drawn, drift}),
        "policy  parameters  budget  task    depth %  context          recalled  equal tokens  first other  state\n"
        "window  sinks=4        256  single       25     2048  0.90 (0.70-0.97)                             finished\n"
        "window  sinks=4        256  single      any     2048  0.90 (0.70-0.97)                             finished\n"
        "window  sinks=4        256                      1152                           0.500           12  "
        "finished\n");
}

TEST(ResultTable, TitlesNamePolicyBudgetAndContext) {
    EXPECT_EQ(runTitle(windowRun()), "window sinks=4, 256 of 1536 tokens");
    auto coded = windowRun();
    coded.config.store = "kivi";
    coded.config.storeParameters = {{"key_bits", std::int64_t{4}}};
    EXPECT_EQ(runTitle(coded), "window sinks=4 in kivi key_bits=4, 256 of 1536 tokens");
    RunRecord full = windowRun();
    full.config.policy = "full";
    full.config.policyParameters.clear();
    full.config.budget = 0;
    EXPECT_EQ(runTitle(full), "full, 1536 tokens");
    RunRecord asked = windowRun();
    asked.config.evaluation = "retrieval";
    asked.config.evaluationParameters = {
        {"task", std::string("multi-key")}, {"depth", 25.0}, {"length", std::int64_t{2048}}};
    asked.config.warm = asked.config.score = 0;
    EXPECT_EQ(runTitle(asked), "window sinks=4, 256 of 2048 tokens, multi-key at depth 25");
}

}  // namespace
}  // namespace kvist::app
