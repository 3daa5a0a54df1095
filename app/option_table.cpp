// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/option_table.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <type_traits>

#include "engine/api/dtype.h"
#include "engine/api/policy_catalog.h"

namespace kvist::app {
namespace {

using Store = std::function<void(CommandLine&, const std::string&)>;

Store text(std::string CommandLine::*field) {
    return [field](CommandLine& line, const std::string& value) { line.*field = value; };
}

Store flag(bool CommandLine::*field) {
    return [field](CommandLine& line, const std::string&) { line.*field = true; };
}

template <typename Number>
Store number(const char* name, Number CommandLine::*field, std::type_identity_t<Number> minimum) {
    return [=](CommandLine& line, const std::string& value) {
        Number parsed{};
        const char* end = value.data() + value.size();
        const auto [stopped, error] = std::from_chars(value.data(), end, parsed);
        if (error != std::errc() || stopped != end || parsed < minimum) {
            throw experiments::RefusedInput(name, std::string("--") + name + " takes a whole number from " +
                                                      std::to_string(minimum) + " on, not \"" + value + "\"");
        }
        line.*field = parsed;
    };
}

/// A number whose default stands in the help.
template <typename Number>
OptionInfo count(const char* name, std::vector<Command> usableWith, Number CommandLine::*field,
                 std::type_identity_t<Number> minimum, const std::string& help) {
    const std::string usual = " (" + std::to_string(CommandLine{}.*field) + ")";
    return {name, "N", {}, std::move(usableWith), help + usual, number(name, field, minimum)};
}

/// "auto, float32 or int8".
std::string oneOf(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) {
        list += (list.empty() ? "" : name == names.back() ? " or " : ", ") + name;
    }
    return list;
}

OptionInfo choosing(std::string name, std::string value, Command command, std::string help) {
    return {std::move(name), std::move(value), command, {}, std::move(help), text(&CommandLine::subject)};
}

std::vector<std::string> storeIds() {
    std::vector<std::string> ids;
    for (const PolicyInfo& policy : policyCatalog()) {
        if (policy.isStore) {
            ids.push_back(policy.id);
        }
    }
    return ids;
}

const std::vector<Command> kHeadless = {Command::Headless};
const std::vector<Command> kLists = {Command::ListPolicies, Command::ListEvaluations};
const std::vector<Command> kGenerate = {Command::Generate};
const std::vector<Command> kScore = {Command::Score};
const std::vector<Command> kDownload = {Command::Download};
const std::vector<Command> kOneRun = {Command::Generate, Command::Score};
const std::vector<Command> kRuns = {Command::Headless, Command::Generate, Command::Score};

std::vector<OptionInfo> makeTable() {
    return {
        choosing("headless", "SWEEP.json", Command::Headless,
                 "run a sweep file without a window; takes up an earlier, "
                 "unfinished one with the same store"),
        {"store", "S.sqlite", {}, kHeadless, "results, made where it is missing", text(&CommandLine::store)},
        {"csv", "OUT.csv", {}, kHeadless, "also write the runs of the sweep as CSV", text(&CommandLine::csv)},
        {"charts", "DIR", {}, kHeadless, "also draw the charts into a folder (PNG)", text(&CommandLine::charts)},
        {"report",
         "OUT.html",
         {},
         kHeadless,
         "also write tables, charts and how to repeat the runs as one page",
         text(&CommandLine::report)},

        choosing("generate", "PROMPT", Command::Generate, "continue a text; \"-\" reads it from standard input"),
        count("tokens", kGenerate, &CommandLine::tokens, 1, "at most so many"),
        {"chat",
         "",
         {},
         kGenerate,
         "give the prompt as the user's turn of the model's chat template",
         flag(&CommandLine::chat)},

        choosing("score", "TEXT_FILE", Command::Score, "perplexity of a text in one run, printed as JSON"),
        count("warm", kScore, &CommandLine::warm, 0, "tokens before the scored ones"),
        count("score-tokens", kScore, &CommandLine::scoreTokens, 1, "tokens scored"),
        {"protocol",
         "NAME",
         {},
         kScore,
         "article, or prefill-then-score: warm tokens held whole, then compressed once (article)",
         text(&CommandLine::protocol)},
        {"divergence",
         "",
         {},
         kScore,
         "also compare every prediction with the full cache's",
         flag(&CommandLine::divergence)},
        {"whole", "", {}, kScore, "tokenise the text in one piece, not line by line", flag(&CommandLine::whole)},
        {"field", "NAME", {}, kScore, "of a .jsonl text, what holds the text (text)", text(&CommandLine::field)},
        {"nll", "OUT.txt", {}, kScore, "also write the NLL of every scored token", text(&CommandLine::nll)},

        {"model",
         "PATH",
         {},
         kRuns,
         "model folder or GGUF file (the demo model; with --headless, in place of the sweep's)",
         text(&CommandLine::model)},
        {"policy", "ID", {}, kOneRun, "what to prune by (full)", text(&CommandLine::policy)},
        {"kv-store",
         "ID",
         {},
         kOneRun,
         "how keys and values are held: " + oneOf(storeIds()) + " (in full precision)",
         text(&CommandLine::kvStore)},
        {"budget",
         "N",
         {},
         kOneRun,
         "entries kept per layer and KV head: 512, or 25%, or 1MiB",
         text(&CommandLine::budget)},
        {"set",
         "NAME=VALUE",
         {},
         kOneRun,
         "a parameter of the policy, or of its store: store.NAME=VALUE; may be repeated",
         [](CommandLine& line, const std::string& value) { line.settings.push_back(value); }},
        count("chunk", kOneRun, &CommandLine::chunk, 1, "tokens fed between two prunings"),
        {"device", "NAME", {}, kOneRun, oneOf({"auto", "cpu", "cuda"}), text(&CommandLine::device)},
        {"dtype", "NAME", {}, kOneRun, "auto, " + oneOf(dtypes()), text(&CommandLine::dtype)},
        count("threads", kOneRun, &CommandLine::threads, 0, "CPU threads; 0 takes one per core"),
        count("seed", kOneRun, &CommandLine::seed, 0, "of random draws"),

        choosing("download", "OWNER/NAME", Command::Download,
                 "fetch a model from the Hugging Face hub into its cache; prints the path for --model"),
        {"revision", "NAME", {}, kDownload, "branch, tag or commit (main)", text(&CommandLine::revision)},
        {"gguf",
         "FILE",
         {},
         kDownload,
         "a GGUF file of the repository in place of safetensors",
         text(&CommandLine::gguf)},

        choosing("list-policies", "", Command::ListPolicies, "the pruning policies and their parameters"),
        choosing("list-evaluations", "", Command::ListEvaluations, "what can be measured"),
        {"json", "", {}, kLists, "as JSON", flag(&CommandLine::asJson)},
        choosing("version", "", Command::Version, "version of the program"),
        choosing("help", "", Command::Help, "this text"),
    };
}

}  // namespace

const std::vector<OptionInfo>& optionTable() {
    static const std::vector<OptionInfo> table = makeTable();
    return table;
}

const OptionInfo* findOption(const std::string& name) {
    const std::vector<OptionInfo>& table = optionTable();
    const auto found = std::find_if(table.begin(), table.end(), [&](const OptionInfo& o) { return o.name == name; });
    return found == table.end() ? nullptr : &*found;
}

}  // namespace kvist::app
