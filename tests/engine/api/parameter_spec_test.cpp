// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/parameter_spec.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

const ParameterSpec kSinks = ParameterSpec::integer("sinks", "Sinks", 4, 0, 4096, "entries", "First entries kept.");
const ParameterSpec kDecay = ParameterSpec::real("decay", "Decay", 0.5, 0.0, 1.0, "", "Weight of the past.");
const ParameterSpec kCenter = ParameterSpec::boolean("center_keys", "Centre keys", true, "Subtract the mean.");
const ParameterSpec kPool = ParameterSpec::choice("pool", "Pooling", "max", {"max", "mean"}, "Kind of pooling.");

TEST(ParameterSpec, DefaultsHaveTheTypeOfTheParameter) {
    EXPECT_EQ(std::get<std::int64_t>(kSinks.defaultValue), 4);
    EXPECT_EQ(std::get<double>(kDecay.defaultValue), 0.5);
    EXPECT_EQ(std::get<bool>(kCenter.defaultValue), true);
    EXPECT_EQ(std::get<std::string>(kPool.defaultValue), "max");
}

TEST(ParameterSpec, ReadsValuesOfEachType) {
    EXPECT_EQ(parseValue(kSinks, "17"), ParameterValue(std::int64_t{17}));
    EXPECT_EQ(parseValue(kDecay, "0.25"), ParameterValue(0.25));
    EXPECT_EQ(parseValue(kDecay, "1"), ParameterValue(1.0));
    EXPECT_EQ(parseValue(kDecay, "2.5e-1"), ParameterValue(0.25));
    EXPECT_EQ(parseValue(kCenter, "false"), ParameterValue(false));
    EXPECT_EQ(parseValue(kPool, "mean"), ParameterValue(std::string("mean")));
}

TEST(ParameterSpec, TextOfAValueReadsBackAsTheSameValue) {
    for (const double value : {0.1, 1.0 / 3.0, 1e-300, 0.0}) {
        EXPECT_EQ(parseValue(kDecay, toText(value)), ParameterValue(value)) << toText(value);
    }
    EXPECT_EQ(toText(ParameterValue(std::int64_t{-3})), "-3");
    EXPECT_EQ(parseValue(kCenter, toText(true)), ParameterValue(true));
}

TEST(ParameterSpec, RangesAreInclusive) {
    EXPECT_NO_THROW(parseValue(kSinks, "0"));
    EXPECT_NO_THROW(parseValue(kSinks, "4096"));
    EXPECT_THAT([] { parseValue(kSinks, "4097"); }, throwsEngineError(ErrorKind::InvalidInput, "4096"));
    EXPECT_THAT([] { parseValue(kSinks, "-1"); }, throwsEngineError(ErrorKind::InvalidInput, "sinks"));
    EXPECT_THAT([] { parseValue(kDecay, "1.0001"); }, throwsEngineError(ErrorKind::InvalidInput, "decay"));
}

TEST(ParameterSpec, RefusesWhatIsNotANumber) {
    for (const char* text : {"", " 4", "4 ", "four", "4.0", "4,5", "0x4", "9223372036854775808"}) {
        EXPECT_THAT([&] { parseValue(kSinks, text); }, throwsEngineError(ErrorKind::InvalidInput, "sinks")) << text;
    }
    for (const char* text : {"", "nan", "inf", "0,5", "0.5x"}) {
        EXPECT_THAT([&] { parseValue(kDecay, text); }, throwsEngineError(ErrorKind::InvalidInput, "decay")) << text;
    }
}

TEST(ParameterSpec, MessageSaysWhatWasGivenAndWhatWouldBeRight) {
    EXPECT_THAT([] { parseValue(kPool, "avg"); },
                throwsEngineError(ErrorKind::InvalidInput, "pool = avg: expected one of max, mean"));
    EXPECT_THAT([] { parseValue(kCenter, "yes"); },
                throwsEngineError(ErrorKind::InvalidInput, "center_keys = yes: expected true or false"));
}

TEST(ParameterSpec, AnIntegerServesAsARealButNotTheOtherWayRound) {
    EXPECT_EQ(checkedValue(kDecay, std::int64_t{1}), ParameterValue(1.0));
    EXPECT_THAT([] { checkedValue(kSinks, 4.0); }, throwsEngineError(ErrorKind::InvalidInput, "sinks"));
    EXPECT_THAT([] { checkedValue(kCenter, std::int64_t{1}); },
                throwsEngineError(ErrorKind::InvalidInput, "center_keys"));
    EXPECT_THAT([] { checkedValue(kDecay, std::numeric_limits<double>::quiet_NaN()); },
                throwsEngineError(ErrorKind::InvalidInput, "decay"));
}

TEST(ParameterSpec, CompletedFillsInDefaults) {
    const ParameterMap values = completed({kSinks, kDecay, kPool}, {{"sinks", std::int64_t{8}}}, "policy window");
    EXPECT_EQ(integerOf(values, "sinks"), 8);
    EXPECT_EQ(realOf(values, "decay"), 0.5);
    EXPECT_EQ(choiceOf(values, "pool"), "max");
    EXPECT_EQ(values.size(), 3u);
}

/// "base" chooses between two scorers with a window each, of which one has a kernel as well.
const std::vector<ParameterSpec>& withBases() {
    const auto belonging = [](std::string base, ParameterSpec spec) {
        spec.base = std::move(base);
        return spec.asOptional();
    };
    static const std::vector<ParameterSpec> specs = {
        ParameterSpec::choice("base", "Base", "wide", {"wide", "narrow"}, "Whose scores."),
        belonging("wide", ParameterSpec::integer("window", "Window", 32, 1, 99, "", "Wide.")),
        belonging("wide", ParameterSpec::integer("kernel", "Kernel", 5, 1, 9, "", "Pooling.")),
        belonging("narrow", ParameterSpec::integer("window", "Window", 8, 1, 9, "", "Narrow.")),
    };
    return specs;
}

TEST(ParameterSpec, OptionalParametersAreLeftOutAtTheirDefault) {
    const std::vector<ParameterSpec> specs = {kSinks, kDecay.asOptional()};
    EXPECT_EQ(completed(specs, {{"decay", 0.5}}, ""), completed(specs, {}, ""));
    EXPECT_EQ(completed(specs, {}, "").size(), 1U);
    EXPECT_EQ(realOf(completed(specs, {{"decay", 0.25}}, ""), "decay"), 0.25);
    EXPECT_EQ(realOf(withOptional(specs, completed(specs, {}, "")), "decay"), 0.5);
}

TEST(ParameterSpec, ParametersOfABaseApplyBesideIt) {
    const auto filled = [](const ParameterMap& given) {
        return withOptional(withBases(), completed(withBases(), given, "policy"));
    };
    EXPECT_EQ(integerOf(filled({}), "window"), 32);
    EXPECT_EQ(integerOf(filled({}), "kernel"), 5);
    const ParameterMap narrow = filled({{"base", std::string("narrow")}});
    EXPECT_EQ(integerOf(narrow, "window"), 8);
    EXPECT_FALSE(narrow.contains("kernel"));
    EXPECT_EQ(specOf(withBases(), "window", {{"base", std::string("narrow")}})->maximum, 9);
    EXPECT_EQ(specOf(withBases(), "kernel", {{"base", std::string("narrow")}}), nullptr);
    EXPECT_THAT(
        [&] {
            filled({{"base", std::string("narrow")}, {"window", std::int64_t{10}}});
        },
        throwsEngineError(ErrorKind::InvalidInput, "from 1 to 9"));
    EXPECT_THAT(
        [&] {
            filled({{"base", std::string("narrow")}, {"kernel", std::int64_t{3}}});
        },
        throwsEngineError(ErrorKind::InvalidInput, "no parameter kernel"));
}

TEST(ParameterSpec, CompletedNamesOwnerAndNearestParameter) {
    EXPECT_THAT(
        [] {
            completed({kSinks, kPool}, {{"sink", std::int64_t{8}}}, "policy window");
        },
        throwsEngineError(ErrorKind::InvalidInput, "policy window has no parameter sink; did you mean sinks?"));
    EXPECT_THAT(
        [] {
            completed({}, {{"sinks", std::int64_t{8}}}, "policy full");
        },
        throwsEngineError(ErrorKind::InvalidInput, "policy full has no parameter sinks"));
}

TEST(ParameterSpec, AccessToAMissingOrMistypedValueIsAnInternalError) {
    const ParameterMap values = {{"sinks", std::int64_t{8}}};
    EXPECT_THAT([&] { integerOf(values, "recent"); }, throwsEngineError(ErrorKind::Internal, "recent"));
    EXPECT_THAT([&] { realOf(values, "sinks"); }, throwsEngineError(ErrorKind::Internal, "sinks"));
}

}  // namespace
}  // namespace kvist
