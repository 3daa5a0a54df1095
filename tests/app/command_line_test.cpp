// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include <gtest/gtest.h>

#include "app/option_table.h"

namespace kvist::app {
namespace {

CommandLine parsed(const std::vector<std::string>& arguments) {
    const auto line = parseCommandLine(arguments);
    EXPECT_TRUE(line) << line.refusal().message;
    return line ? *line : CommandLine{};
}

std::string refusal(const std::vector<std::string>& arguments) {
    const auto line = parseCommandLine(arguments);
    EXPECT_FALSE(line);
    return line ? std::string() : line.refusal().message;
}

TEST(CommandLine, WindowIsTheDefault) {
    EXPECT_EQ(parsed({}), CommandLine{});
    EXPECT_EQ(parsed({"sweep.json"}).subject, "sweep.json");
    EXPECT_EQ(refusal({"a.json", "b.json"}), "unexpected argument \"b.json\"");
}

TEST(CommandLine, ValuesFollowOrAreJoined) {
    const CommandLine line = parsed({"--headless", "s.json", "--store=out.sqlite", "--csv", "out.csv"});
    EXPECT_EQ(line.command, Command::Headless);
    EXPECT_EQ(line.subject, "s.json");
    EXPECT_EQ(line.store, "out.sqlite");
    EXPECT_EQ(line.csv, "out.csv");
    EXPECT_TRUE(line.charts.empty());
}

TEST(CommandLine, OptionsMayComeBeforeTheirCommand) {
    const CommandLine line = parsed({"--budget", "25%", "--set", "sinks=2", "--set", "recent=8", "--score", "t.txt"});
    EXPECT_EQ(line.command, Command::Score);
    EXPECT_EQ(line.budget, "25%");
    EXPECT_EQ(line.settings, (std::vector<std::string>{"sinks=2", "recent=8"}));
}

TEST(CommandLine, AValueMayBeginWithADash) {
    EXPECT_EQ(parsed({"--generate", "-"}).subject, "-");
    EXPECT_EQ(parsed({"--generate", "--help is what"}).subject, "--help is what");
}

TEST(CommandLine, NumbersAreChecked) {
    EXPECT_EQ(parsed({"--score", "t", "--warm", "0", "--threads", "2"}).warm, 0);
    EXPECT_EQ(refusal({"--score", "t", "--warm", "-1"}), "--warm takes a whole number from 0 on, not \"-1\"");
    EXPECT_EQ(refusal({"--score", "t", "--chunk", "0"}), "--chunk takes a whole number from 1 on, not \"0\"");
    EXPECT_EQ(refusal({"--score", "t", "--chunk", "32x"}), "--chunk takes a whole number from 1 on, not \"32x\"");
    EXPECT_EQ(refusal({"--generate", "t", "--tokens", "99999999999999999999"}),
              "--tokens takes a whole number from 1 on, not \"99999999999999999999\"");
}

TEST(CommandLine, WrongUseNamesTheRemedy) {
    EXPECT_EQ(refusal({"--headles", "s.json"}), "unknown option --headles; did you mean --headless?");
    EXPECT_EQ(refusal({"-budget", "5"}), "unknown option -budget; did you mean --budget?");
    EXPECT_EQ(refusal({"--zzzzzzzzz"}), "unknown option --zzzzzzzzz");
    EXPECT_EQ(refusal({"-v"}), "unknown option -v; all but -h begin with two dashes");
    EXPECT_EQ(refusal({"--headless", "--store", "s.sqlite"}), "a value is missing: --headless SWEEP.json");
    EXPECT_EQ(parseCommandLine({"--generate=--store"})->subject, "--store");
    EXPECT_EQ(refusal({"--score", "t", "--json"}),
              "--json belongs to --list-policies or --list-evaluations, not to --score");
    EXPECT_EQ(refusal({"--csv", "o.csv"}), "--csv belongs to --headless, not to the window");
    EXPECT_EQ(refusal({"--score", "t", "--generate", "p"}), "--score and --generate exclude each other");
    EXPECT_EQ(refusal({"--score"}), "a value is missing: --score TEXT_FILE");
    EXPECT_EQ(refusal({"--version=2"}), "--version takes no value");
    EXPECT_EQ(refusal({"--generate", "Once", "upon"}), "unexpected argument \"upon\"; put the prompt in quotes");
    EXPECT_EQ(refusal({"--headless", "s.json"}),
              "--headless needs --store S.sqlite, the file that receives the results");
}

TEST(CommandLine, HelpNamesEveryOption) {
    const std::string text = helpText();
    for (const OptionInfo& option : optionTable()) {
        EXPECT_NE(text.find("--" + option.name), std::string::npos) << option.name;
        EXPECT_FALSE(option.help.empty()) << option.name;
        EXPECT_NE(option.command.has_value(), !option.usableWith.empty()) << option.name;
    }
}

}  // namespace
}  // namespace kvist::app
