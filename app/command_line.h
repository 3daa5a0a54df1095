// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/result.h"

namespace kvist::app {

/// What the program is asked to do.
enum class Command { Window, Headless, Generate, Score, Download, ListPolicies, ListEvaluations, Version, Help };

/// The command line as typed: numbers are numbers, everything else is looked up later.
struct CommandLine {
    Command command = Command::Window;
    std::string subject;  ///< FILE, SWEEP.json, PROMPT, TEXT_FILE or OWNER/NAME; may be empty for the window

    bool asJson = false;  ///< --list-policies, --list-evaluations

    std::string store;   ///< --headless
    std::string csv;     ///< empty: none is written
    std::string charts;  ///< folder; empty: none are written
    std::string report;  ///< HTML file; empty: none is written

    std::string model;  ///< --generate, --score, --headless; empty: the demo model, or what the sweep names

    std::string policy = "full";        ///< --generate, --score
    std::string kvStore;                ///< id; empty: keys and values in full precision
    std::string budget;                 ///< "512", "25%", "1MiB"; empty for policies without one
    std::vector<std::string> settings;  ///< "name=value" for the policy, "store.name=value" for its store
    std::string device = "auto";
    std::string dtype = "auto";
    int threads = 0;
    std::int64_t chunk = 32;
    std::uint64_t seed = 0;

    std::int64_t tokens = 128;  ///< --generate
    bool chat = false;          ///< the prompt as a user's turn

    std::int64_t warm = 1024;  ///< --score
    std::int64_t scoreTokens = 512;
    std::string protocol;     ///< of the perplexity evaluation; empty: its default
    bool divergence = false;  ///< also compare the predictions with the full cache's
    std::string nll;          ///< file for the per-token NLL; empty: none is written
    bool whole = false;       ///< the text in one piece
    std::string field;        ///< of a .jsonl text; empty: "text"

    std::string revision = "main";  ///< --download
    std::string gguf;               ///< a file of the repository; empty: the safetensors model

    bool operator==(const CommandLine&) const = default;
};

/// Reads the arguments that follow the program's name. A refusal names the option, what was given and the
/// nearest one that there is.
experiments::Result<CommandLine> parseCommandLine(const std::vector<std::string>& arguments);

/// What --help prints, made from the table of options.
std::string helpText();

}  // namespace kvist::app
