// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/sweep_file.h"

#include <gmock/gmock.h>

#include <QDir>
#include <QTemporaryDir>

#include "experiments/file_text.h"

namespace kvist::experiments {
namespace {

using testing::HasSubstr;

const std::string kExample = R"({
  "kvist_sweep": 1,
  "name": "Budget curve",
  "model": "resources/demo_model",
  "device": "auto",
  "dtype": "auto",
  "text": { "file": "resources/texts/wiki.test.raw", "segments": "lines" },
  "chunk": 32,
  "contexts": [ { "warm": 1024, "score": 512 } ],
  "budgets": [ "64-512*2", "25%", "1MiB" ],
  "policies": [
    { "id": "full" },
    { "id": "window", "parameters": { "sinks": [0, 4] } },
    { "id": "attention-score", "parameters": { "sinks": 4, "recent": 32 } }
  ],
  "evaluations": [
    { "id": "perplexity" },
    { "id": "speed", "depths": "512-8192*4", "warmups": 3, "samples": 20 }
  ],
  "repeats": 1,
  "seed": 0
})";

Sweep parsed(const std::string& json) {
    const auto sweep = parseSweep(json);
    EXPECT_TRUE(sweep) << (sweep ? "" : sweep.refusal().message);
    return sweep ? *sweep : Sweep{};
}

/// The example with one piece replaced by another, and refused.
Refusal refused(const std::string& piece, const std::string& other) {
    std::string json = kExample;
    const std::size_t place = json.find(piece);
    EXPECT_NE(place, json.npos) << piece;
    json.replace(place, piece.size(), other);
    const auto sweep = parseSweep(json);
    EXPECT_FALSE(sweep) << other;
    return sweep ? Refusal{} : sweep.refusal();
}

TEST(SweepFile, ReadsTheExample) {
    const Sweep sweep = parsed(kExample);
    EXPECT_EQ(sweep.name, "Budget curve");
    EXPECT_THAT(sweep.models, testing::ElementsAre("resources/demo_model"));
    EXPECT_EQ(sweep.text, (TextChoice{"resources/texts/wiki.test.raw", Segmentation::Lines}));
    EXPECT_EQ(sweep.chunk, 32);
    EXPECT_THAT(sweep.contexts, testing::ElementsAre(SweepContext{"1024", "512"}));
    EXPECT_EQ(sweep.budgets, "64-512*2, 25%, 1MiB");
    ASSERT_EQ(sweep.policies.size(), 3u);
    EXPECT_EQ(sweep.policies[1].parameters, (AxisMap{{"sinks", "0, 4"}}));
    EXPECT_EQ(sweep.policies[2].parameters, (AxisMap{{"sinks", "4"}, {"recent", "32"}}));
    ASSERT_EQ(sweep.evaluations.size(), 2u);
    EXPECT_EQ(sweep.evaluations[1].depths, "512-8192*4");
    EXPECT_EQ(sweep.evaluations[1].parameters, (AxisMap{{"warmups", "3"}, {"samples", "20"}}));
}

TEST(SweepFile, ComesBackTheSame) {
    Sweep sweep = parsed(kExample);
    EXPECT_EQ(parsed(toJson(sweep)), sweep);
    EXPECT_THAT(toJson(sweep), HasSubstr("\"kvist_sweep\": 1"));
    EXPECT_THAT(toJson(sweep), HasSubstr("\"warm\": 1024"));
    sweep.models = {"a", "b"};
    sweep.text.segments = Segmentation::Whole;
    EXPECT_EQ(toJson(sweep).find("field"), std::string::npos);
    sweep.text.field = "body";
    EXPECT_THAT(toJson(sweep), HasSubstr("\"field\": \"body\""));
    sweep.contexts.push_back({"0, 16", "512-2048*2"});
    sweep.repeats = 3;
    sweep.seed = 42;
    sweep.threads = 2;
    sweep.name = "Ümläut \"quoted\"\n";
    EXPECT_EQ(parsed(toJson(sweep)), sweep);
}

TEST(SweepFile, KeepsDefaultsForMissingKeys) {
    const Sweep sweep = parsed(R"({"kvist_sweep": 1, "model": ["m"], "policies": [{"id": "full"}],
        "evaluations": [{"id": "speed", "depths": [512, "1024-4096*2"]}]})");
    EXPECT_EQ(sweep.chunk, 32);
    EXPECT_EQ(sweep.device, "auto");
    EXPECT_EQ(sweep.repeats, 1);
    EXPECT_EQ(sweep.evaluations[0].depths, "512, 1024-4096*2");
}

TEST(SweepFile, LeavesChoicesOpen) {
    const Sweep open = parsed(R"({"kvist_sweep": 1})");
    EXPECT_TRUE(open.models.empty());
    EXPECT_TRUE(open.policies.empty());
    EXPECT_EQ(open, Sweep{});
    EXPECT_EQ(parsed(toJson(open)), open);
}

TEST(SweepFile, UnknownKeysNameTheLineAndTheNearest) {
    const Refusal top = refused("\"budgets\"", "\"budgetz\"");
    EXPECT_EQ(top.key, "budgetz");
    EXPECT_EQ(top.message, "line 10: budgetz is not a key of a sweep file; did you mean budgets?");
    const Refusal nested = refused("\"segments\"", "\"segment\"");
    EXPECT_EQ(nested.key, "text.segment");
    EXPECT_THAT(nested.message, HasSubstr("line 7: segment is not a key of the text; did you mean segments?"));
    const Refusal parameter = refused("\"recent\"", "\"recnt\"");
    EXPECT_EQ(parameter.key, "policies[2].parameters.recnt");
    EXPECT_THAT(parameter.message, HasSubstr("line 14: recnt"));
    EXPECT_THAT(parameter.message, HasSubstr("did you mean recent?"));
    const Refusal evaluation = refused("\"warmups\"", "\"warmup\"");
    EXPECT_EQ(evaluation.key, "evaluations[1].warmup");
    EXPECT_THAT(evaluation.message, HasSubstr("line 18: warmup is not a key of an evaluation; did you mean warmups?"));
}

TEST(SweepFile, UnknownIdsNameTheLineAndTheNearest) {
    const Refusal policy = refused("\"window\"", "\"windw\"");
    EXPECT_EQ(policy.key, "policies[1].id");
    EXPECT_THAT(policy.message, HasSubstr("line 13: "));
    const Refusal evaluation = refused("\"perplexity\"", "\"perplexitiy\"");
    EXPECT_THAT(evaluation.message, HasSubstr("line 17: "));
    EXPECT_THAT(evaluation.message, HasSubstr("did you mean perplexity?"));
}

TEST(SweepFile, WrongTypesAndRangesNameTheKey) {
    EXPECT_THAT(refused("\"chunk\": 32", "\"chunk\": 0").message,
                HasSubstr("line 8: chunk = 0: expected a whole number"));
    EXPECT_THAT(refused("\"chunk\": 32", "\"chunk\": \"32\"").message, HasSubstr("chunk = \"32\": expected a whole"));
    EXPECT_THAT(refused("\"device\": \"auto\"", "\"device\": \"gpu\"").message,
                HasSubstr("line 5: device = \"gpu\": expected one of auto, cpu, cuda"));
    EXPECT_THAT(refused("\"resources/demo_model\"", "7").message, HasSubstr("line 4: model = 7"));
    EXPECT_THAT(refused("[ { \"warm\": 1024, \"score\": 512 } ]", "{}").message, HasSubstr("line 9: contexts"));
    EXPECT_THAT(refused("\"score\": 512", "\"score\": 0").message, HasSubstr("line 9: score: 0: expected"));
    EXPECT_THAT(refused(", \"score\": 512", "").message, HasSubstr("score is missing in a context"));
    EXPECT_THAT(refused("\"64-512*2\"", "\"64-512\"").message, HasSubstr("line 10: budgets: 64-512: a range needs"));
    EXPECT_THAT(refused("\"25%\"", "\"125%\"").message, HasSubstr("at most 100%"));
    EXPECT_THAT(refused("[0, 4]", "[0, -4]").message, HasSubstr("line 13: sinks = -4"));
    EXPECT_THAT(refused("\"repeats\": 1", "\"repeats\": 1.5").message, HasSubstr("repeats = 1.5"));
    EXPECT_THAT(refused("\"seed\": 0", "\"seed\": 99999999999999999999").message, HasSubstr("seed"));
    EXPECT_THAT(refused("{ \"id\": \"full\" }", "\"full\"").message, HasSubstr("line 12: a policy is an object"));
    EXPECT_THAT(refused("\"512-8192*4\"", "[]").message, HasSubstr("line 18: depths = []: expected a value"));
    EXPECT_THAT(refused("\"kvist_sweep\": 1", "\"kvist_sweep\": 2").message, HasSubstr("line 2: kvist_sweep = 2"));
}

TEST(SweepFile, RefusesWhatIsNoSweep) {
    EXPECT_THAT(parseSweep("{").refusal().message,
                HasSubstr("not valid JSON: parse error at line 1, column 2: syntax error"));
    EXPECT_THAT(parseSweep("{\n\"a\": 1,\n}").refusal().message, HasSubstr("line 3"));
    EXPECT_THAT(parseSweep("[]").refusal().message, HasSubstr("a sweep file is an object"));
    EXPECT_THAT(parseSweep("{}").refusal().message, HasSubstr("begins with \"kvist_sweep\": 1"));
    EXPECT_THAT(refused("\"seed\": 0", "\"seed\": 0, \"chunk\": 1").message,
                HasSubstr("line 21: chunk is given twice"));
}

TEST(SweepFile, PresetsCanBeRead) {
    QDir presets(KVIST_PRESETS);
    const QStringList files = presets.entryList({"*.json"});
    EXPECT_THAT(files, testing::IsSupersetOf({"article_quality.json", "article_speed.json", "budget_curve.json"}));
    for (const QString& file : files) {
        const auto sweep = readSweepFile(presets.filePath(file).toStdString());
        ASSERT_TRUE(sweep) << sweep.refusal().message;
        Sweep written = parsed(toJson(*sweep));
        written.folder = sweep->folder;
        EXPECT_EQ(written, *sweep) << file.toStdString();
        for (const std::string& path : {sweep->models.empty() ? "resources/demo_model" : sweep->models.front(),
                                        sweep->text.file.empty() ? "resources/demo_model" : sweep->text.file}) {
            EXPECT_TRUE(resolvedPath(path, sweep->folder, KVIST_RESOURCES)) << path;
        }
    }
}

TEST(SweepFile, WritesAndReadsFiles) {
    QTemporaryDir folder;
    const std::string path = folder.filePath("my sweep.json").toStdString();
    Sweep sweep = parsed(kExample);
    ASSERT_TRUE(writeSweepFile(path, sweep));
    const auto read = readSweepFile(path);
    ASSERT_TRUE(read);
    sweep.folder = QDir(folder.path()).absolutePath().toStdString();
    EXPECT_EQ(*read, sweep);
    EXPECT_THAT(readSweepFile(path + "x").refusal().message, HasSubstr("my sweep.jsonx cannot be read"));
    EXPECT_FALSE(writeSweepFile(folder.filePath("none/sweep.json").toStdString(), sweep));
    ASSERT_TRUE(writeFile(path, "{\n\"kvist_swep\": 1}"));
    EXPECT_THAT(readSweepFile(path).refusal().message, HasSubstr("my sweep.json, line 2: kvist_swep"));
}

TEST(SweepFile, LooksBesideTheFileThenInTheResources) {
    QTemporaryDir beside;
    QTemporaryDir resources;
    ASSERT_TRUE(QDir(beside.path()).mkpath("texts"));
    const std::string sweepFolder = beside.path().toStdString();
    const std::string resourceFolder = resources.path().toStdString();
    ASSERT_TRUE(writeFile(resourceFolder + "/both.txt", "r"));
    ASSERT_TRUE(writeFile(resourceFolder + "/only.txt", "r"));
    ASSERT_TRUE(writeFile(sweepFolder + "/both.txt", "b"));
    EXPECT_EQ(*resolvedPath("both.txt", sweepFolder, resourceFolder), sweepFolder + "/both.txt");
    EXPECT_EQ(*resolvedPath("texts/../both.txt", sweepFolder, resourceFolder), sweepFolder + "/both.txt");
    EXPECT_EQ(*resolvedPath("resources/only.txt", sweepFolder, resourceFolder), resourceFolder + "/only.txt");
    EXPECT_EQ(*resolvedPath("only.txt", {}, resourceFolder), resourceFolder + "/only.txt");
    EXPECT_EQ(*resolvedPath(sweepFolder + "/both.txt", {}, {}), sweepFolder + "/both.txt");
    const Refusal missing = resolvedPath("none.txt", sweepFolder, resourceFolder).refusal();
    EXPECT_THAT(missing.message, HasSubstr(sweepFolder + "/none.txt and " + resourceFolder + "/none.txt"));
}

}  // namespace
}  // namespace kvist::experiments
