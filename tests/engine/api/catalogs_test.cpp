// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <set>

#include "engine/api/evaluation_catalog.h"
#include "engine/api/metric_catalog.h"
#include "engine/api/policy_catalog.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

/// What every declared parameter owes to the form, the command line and the table.
void expectUsable(const std::vector<ParameterSpec>& specs, const std::string& owner) {
    std::set<std::string> names;
    for (const ParameterSpec& spec : specs) {
        SCOPED_TRACE(owner + " " + spec.name);
        EXPECT_TRUE(names.insert(spec.base + '.' + spec.name).second) << "named twice";
        EXPECT_EQ(spec.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string::npos);
        EXPECT_FALSE(spec.title.empty());
        EXPECT_FALSE(spec.help.empty());
        EXPECT_EQ(checkedValue(spec, spec.defaultValue), spec.defaultValue);
        EXPECT_EQ(parseValue(spec, toText(spec.defaultValue)), spec.defaultValue);
    }
}

TEST(Catalogs, PoliciesOfTheArticleAreThere) {
    std::vector<std::string> ids;
    for (const PolicyInfo& info : policyCatalog()) {
        ids.push_back(info.id);
    }
    EXPECT_THAT(ids, ::testing::IsSupersetOf({"full", "window", "attention-score"}));
    EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size()) << "an id stands twice";
}

TEST(Catalogs, PoliciesDescribeThemselves) {
    for (const PolicyInfo& info : policyCatalog()) {
        SCOPED_TRACE(info.id);
        EXPECT_FALSE(info.title.empty());
        EXPECT_FALSE(info.group.empty());
        EXPECT_FALSE(info.summary.empty());
        expectUsable(info.parameters, info.id);
        EXPECT_EQ(policyInfo(info.id).title, info.title);
    }
    EXPECT_FALSE(policyInfo("full").usesBudget);
    EXPECT_TRUE(policyInfo("window").usesBudget);
}

TEST(Catalogs, DefaultsOfTheArticle) {
    const ParameterMap window = completed(policyInfo("window").parameters, {}, "window");
    EXPECT_EQ(integerOf(window, "sinks"), 4);
    const ParameterMap score = completed(policyInfo("attention-score").parameters, {}, "attention-score");
    EXPECT_EQ(integerOf(score, "sinks"), 4);
    EXPECT_EQ(integerOf(score, "recent"), 32);
}

TEST(Catalogs, UnknownIdsNameTheNearest) {
    EXPECT_THAT([] { policyInfo("windows"); }, throwsEngineError(ErrorKind::InvalidInput, "window"));
    EXPECT_THAT([] { evaluationInfo("perplexty"); }, throwsEngineError(ErrorKind::InvalidInput, "perplexity"));
    EXPECT_THAT([] { metricInfo("no_such_metric"); }, throwsEngineError(ErrorKind::Internal, "no_such_metric"));
}

TEST(Catalogs, EvaluationsDescribeThemselves) {
    std::set<std::string> ids;
    for (const EvaluationInfo& info : evaluationCatalog()) {
        SCOPED_TRACE(info.id);
        EXPECT_TRUE(ids.insert(info.id).second);
        EXPECT_FALSE(info.title.empty());
        EXPECT_FALSE(info.summary.empty());
        EXPECT_FALSE(info.usesContexts && info.usesDepths);
        expectUsable(info.parameters, info.id);
    }
    EXPECT_TRUE(ids.contains("perplexity"));
    EXPECT_TRUE(evaluationInfo("speed").isTimed);
    const ParameterMap speed = completed(evaluationInfo("speed").parameters, {}, "speed");
    EXPECT_EQ(integerOf(speed, "warmups"), 3);
    EXPECT_EQ(integerOf(speed, "samples"), 20);
}

/// The figures of the CSV, as users' scripts rely on them.
const std::vector<std::string> kFigureColumns = {"nll",
                                                 "nll_stderr",
                                                 "perplexity",
                                                 "perplexity_stderr",
                                                 "delta_nll",
                                                 "delta_nll_stderr",
                                                 "kl_mean",
                                                 "kl_p99",
                                                 "delta_p_rms",
                                                 "same_top",
                                                 "retrieval_accuracy",
                                                 "kv_payload_bytes",
                                                 "kv_payload_peak_bytes",
                                                 "kv_metadata_bytes",
                                                 "policy_state_bytes",
                                                 "kv_read_bytes_per_step",
                                                 "kv_allocated_bytes",
                                                 "process_peak_bytes",
                                                 "prefill_tok_s",
                                                 "ttft_s",
                                                 "decode_depth",
                                                 "decode_tok_s_median",
                                                 "decode_tok_s_mean",
                                                 "decode_tok_s_sd",
                                                 "decode_ms_p90",
                                                 "read_bandwidth_bytes_s",
                                                 "roofline_tok_s",
                                                 "seconds",
                                                 "retrieval_accuracy_low",
                                                 "retrieval_accuracy_high",
                                                 "drift_first_divergence",
                                                 "drift_equal_share",
                                                 "kv_recoded_rows",
                                                 "policy_ms_per_step",
                                                 "nll_stderr_block",
                                                 "delta_nll_stderr_block",
                                                 "perplexity_ratio",
                                                 "kl_median",
                                                 "kv_payload_estimate_bytes",
                                                 "arithmetic_flop_s"};

TEST(Catalogs, MetricsAreColumnsOfTheCsv) {
    std::set<std::string> names;
    for (const MetricInfo& metric : metricCatalog()) {
        EXPECT_TRUE(names.insert(metric.name).second) << metric.name << " stands twice";
        EXPECT_THAT(kFigureColumns, ::testing::Contains(metric.name));
        EXPECT_FALSE(metric.title.empty()) << metric.name;
        EXPECT_FALSE(metric.help.empty()) << metric.name;
        EXPECT_EQ(&metricInfo(metric.name), &metric);
    }
}

}  // namespace
}  // namespace kvist
