// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "engine/api/run_config.h"
#include "tests/engine/support/golden_files.h"
#include "tests/engine/support/plan_log.h"

namespace kvist::testing {

/// One line of tests/data/nll/cases.txt as a run.
struct GoldenCase {
    std::string name;
    RunConfig config;

    std::vector<float> nll() const { return readNumbers<float>(folder() / (name + ".txt")); }

    /// Plans of a kind: "tie" where another order of summation may choose differently, "end" for the last state.
    PlanLog plans(const std::string& kind) const {
        PlanLog log;
        std::ifstream file(folder() / (name + ".kept"));
        std::string why;
        PlanMoment moment;
        std::string ranges;
        while (file >> why >> moment.layer >> moment.tokensSeen >> moment.target >> ranges) {
            if (why == kind) {
                log[moment] = positions(ranges);
            }
        }
        return log;
    }

    static std::vector<GoldenCase> all() {
        std::ifstream file(folder() / "cases.txt");
        std::vector<GoldenCase> cases;
        GoldenCase next;
        std::string text;
        std::string segments;
        std::int64_t sinks = 0;
        std::int64_t recent = 0;
        RunConfig& config = next.config;
        while (file >> next.name >> text >> segments >> config.policy >> config.budget >> sinks >> recent >>
               config.chunk >> config.warm >> config.score) {
            config.text.file = sampleText(text);
            config.text.segments = segments == "whole" ? Segmentation::Whole : Segmentation::Lines;
            config.policyParameters.clear();
            if (config.policy != "full") {
                config.policyParameters["sinks"] = sinks;
            }
            if (config.policy == "attention-score") {
                config.policyParameters["recent"] = recent;
            }
            cases.push_back(next);
        }
        return cases;
    }

private:
    static std::filesystem::path folder() { return dataFolder() / "nll"; }

    /// "0-3,17" → 0, 1, 2, 3, 17
    static std::vector<std::int64_t> positions(const std::string& ranges) {
        std::vector<std::int64_t> result;
        std::istringstream list(ranges);
        for (std::string range; std::getline(list, range, ',');) {
            const auto dash = range.find('-');
            const std::int64_t first = std::stoll(range);
            const std::int64_t last = dash == std::string::npos ? first : std::stoll(range.substr(dash + 1));
            for (std::int64_t position = first; position <= last; ++position) {
                result.push_back(position);
            }
        }
        return result;
    }
};

}  // namespace kvist::testing
