// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/csv_writer.h"

#include <gmock/gmock.h>

#include <QLocale>
#include <QTemporaryDir>
#include <clocale>
#include <limits>
#include <locale>
#include <sstream>

#include "experiments/file_text.h"

namespace kvist::experiments {
namespace {

constexpr const char* kHeader =
    "run_id,state,sweep,model,model_fingerprint,text,policy,parameters,budget_tokens,warm,scored,context,chunk,dtype,"
    "device,threads,seed,repeat,nll,nll_stderr,perplexity,perplexity_stderr,delta_nll,delta_nll_stderr,kl_mean,kl_p99,"
    "delta_p_rms,same_top,retrieval_accuracy,kv_payload_bytes,kv_payload_peak_bytes,kv_metadata_bytes,"
    "policy_state_bytes,kv_read_bytes_per_step,kv_allocated_bytes,process_peak_bytes,prefill_tok_s,ttft_s,"
    "decode_depth,decode_tok_s_median,decode_tok_s_mean,decode_tok_s_sd,decode_ms_p90,read_bandwidth_bytes_s,"
    "roofline_tok_s,seconds,started_at,program_version,libtorch_version,machine,error,"
    "evaluation,evaluation_parameters,task,length,depth,retrieval_accuracy_low,retrieval_accuracy_high,"
    "drift_first_divergence,drift_equal_share,store,store_parameters,kv_recoded_rows,"
    "policy_ms_per_step,protocol,nll_stderr_block,delta_nll_stderr_block,perplexity_ratio,kl_median,"
    "kv_payload_estimate_bytes,arithmetic_flop_s\r\n";

RunRecord plainRecord() {
    RunRecord record;
    record.id = 3;
    record.state = RunState::Finished;
    record.sweep = "Budget curve";
    record.config.model = {"/models/demo", "cpu", "float32", 2};
    record.config.text = {"/texts/book.txt", Segmentation::Whole};
    record.config.policy = "window";
    record.config.policyParameters = {{"sinks", std::int64_t{4}}};
    record.config.budget = 512;
    record.config.warm = 1024;
    record.config.score = 512;
    record.modelName = "demo";
    record.modelFingerprint = "f00d";
    record.device = "cpu";
    record.dtype = "float32";
    record.threads = 2;
    record.metrics = {{"nll", 2.5}, {"perplexity", 12.182493960703473}, {"kv_payload_bytes", 1048576.0}};
    record.startedAt = "2026-01-02T03:04:05Z";
    record.machine = "Intel(R) Xeon(R), 2 cores";
    return record;
}

/// Fields of the last record, by column; understands quotes.
std::map<std::string, std::string> lastRow(const std::string& csv) {
    std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
    bool isQuoted = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        if (csv[i] == '"' && isQuoted && csv[i + 1] == '"') {
            rows.back().back() += csv[++i];
        } else if (csv[i] == '"') {
            isQuoted = !isQuoted;
        } else if (csv[i] == ',' && !isQuoted) {
            rows.back().emplace_back();
        } else if (csv.compare(i, 2, "\r\n") == 0 && !isQuoted) {
            ++i;
            rows.push_back({""});
        } else {
            rows.back().back() += csv[i];
        }
    }
    rows.pop_back();
    std::map<std::string, std::string> row;
    EXPECT_EQ(rows.back().size(), rows.front().size());
    for (std::size_t i = 0; i < rows.front().size(); ++i) {
        row[rows.front()[i]] = rows.back()[i];
    }
    return row;
}

TEST(CsvWriter, HasTheFixedColumns) {
    EXPECT_EQ(toCsv({}), kHeader);
    EXPECT_EQ(csvColumns().front(), "run_id");
}

TEST(CsvWriter, WritesARow) {
    const std::string csv = toCsv({plainRecord()});
    EXPECT_THAT(
        csv, testing::StartsWith(
                 std::string(kHeader) +
                 "3,finished,Budget curve,demo,f00d,book.txt,window,\"{\"\"sinks\"\":4}\",512,1024,512,1536,32,float32,"
                 "cpu,2,0,0,2.5,,12.182493960703473,,,,,,,,,1048576,,,,,,,,,,,,,,,,,2026-01-02T03:04:05Z,,,"
                 "\"Intel(R) Xeon(R), 2 cores\",,perplexity,{},"));
    EXPECT_EQ(lastRow(csv).size(), csvColumns().size());
}

TEST(CsvWriter, LeavesEmptyWhatDoesNotApply) {
    RunRecord speed = plainRecord();
    speed.config.text = {};
    speed.config.warm = speed.config.score = 0;
    speed.config.depth = 4096;
    speed.config.policy = "full";
    speed.config.policyParameters.clear();
    speed.config.budget = 0;
    auto row = lastRow(toCsv({speed}));
    EXPECT_EQ(row["text"], "");
    EXPECT_EQ(row["warm"], "");
    EXPECT_EQ(row["scored"], "");
    EXPECT_EQ(row["budget_tokens"], "");
    EXPECT_EQ(row["context"], "4096");
    EXPECT_EQ(row["parameters"], "{}");
    RunRecord cold = plainRecord();
    cold.config.warm = 0;
    EXPECT_EQ(lastRow(toCsv({cold}))["warm"], "0");
}

TEST(CsvWriter, QuotesWhatNeedsIt) {
    RunRecord record = plainRecord();
    record.state = RunState::Failed;
    record.sweep = "a \"quoted\" name, with\r\na line break";
    record.errorMessage = "first\nsecond";
    auto row = lastRow(toCsv({plainRecord(), record}));
    EXPECT_EQ(row["sweep"], record.sweep);
    EXPECT_EQ(row["error"], record.errorMessage);
    EXPECT_EQ(row["state"], "failed");
}

TEST(CsvWriter, KeepsFullPrecision) {
    for (const double value :
         {0.1 + 0.2, 1.0 / 3, 1e-300, 1.7976931348623157e308, 4.9e-324, -0.0, 123456789012345678.0}) {
        RunRecord record = plainRecord();
        record.metrics["nll"] = value;
        EXPECT_EQ(std::strtod(lastRow(toCsv({record}))["nll"].c_str(), nullptr), value);
    }
}

class CommaLocale : public std::numpunct<char> {
protected:
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

TEST(CsvWriter, IgnoresTheLocale) {
    const std::string expected = toCsv({plainRecord()});
    const std::locale before = std::locale::global(std::locale(std::locale(), new CommaLocale));
    std::setlocale(LC_ALL, "de_DE.UTF-8");  // where the system has it
    QLocale::setDefault(QLocale::German);
    std::ostringstream proof;
    proof << 1234.5;
    EXPECT_EQ(proof.str(), "1.234,5");
    EXPECT_EQ(toCsv({plainRecord()}), expected);
    QLocale::setDefault(QLocale::c());
    std::locale::global(before);
    std::setlocale(LC_ALL, "C");
}

TEST(CsvWriter, WritesFilesAsAWhole) {
    QTemporaryDir folder;
    const std::string path = folder.filePath("out.csv").toStdString();
    ASSERT_TRUE(writeCsvFile(path, {plainRecord()}));
    EXPECT_EQ(*readFile(path), toCsv({plainRecord()}));
    const auto refused = writeCsvFile(folder.filePath("none/out.csv").toStdString(), {});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.refusal().message, testing::HasSubstr("none/out.csv cannot be written"));
}

}  // namespace
}  // namespace kvist::experiments
