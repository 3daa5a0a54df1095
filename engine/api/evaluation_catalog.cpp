// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/evaluation_catalog.h"

#include "engine/api/catalog_entry.h"

namespace kvist {
namespace {

constexpr const char* kProtocol = "protocol";
constexpr const char* kPrefill = "prefill";
constexpr const char* kPrefillThenScore = "prefill-then-score";

ParameterSpec protocolParameter() {
    return ParameterSpec::choice(kProtocol, "Protocol", "streamed", {"streamed", kPrefill},
                                 "streamed: no layer ever holds more than the budget; prefill: the prompt is held "
                                 "whole and compressed once when it has ended.");
}

std::vector<ParameterSpec> perplexityParameters() {
    return {ParameterSpec::choice(kProtocol, "Protocol", "article", {"article", kPrefillThenScore},
                                  "article: pruned from the first token on, so that no layer ever holds more than the "
                                  "budget; prefill-then-score: the warm tokens are held whole and compressed once.")
                .asOptional(),
            // Off: the full cache's predictions take a pass of their own the first time, and files.
            ParameterSpec::boolean("divergence", "Divergence", false,
                                   "Also compare every prediction with the full cache's: KL divergence, change of the "
                                   "right token's probability, same most probable token.")
                .asOptional()};
}

std::vector<ParameterSpec> retrievalParameters() {
    return {
        ParameterSpec::choice("task", "Task", "single",
                              {"single", "multi-key", "multi-value", "multi-query", "variable-tracking"},
                              "One number hidden in the text; one among others; several under one key; several keys "
                              "asked for; a chain of assignments to follow."),
        ParameterSpec::integer("length", "Length", 1024, 64, std::int64_t{1} << 30, "tokens",
                               "Text, question and answer together."),
        ParameterSpec::real("depth", "Depth", -1, -1, 100, "%",
                            "How much of the text stands before what is asked for; -1: drawn for each sample."),
        ParameterSpec::integer("samples", "Samples", 20, 1, 100000, "", "Texts that are asked about."),
        ParameterSpec::choice("question", "Question", "after", {"after", "before"},
                              "after: seen only when the text has been pruned; before: seen before it is pruned (the "
                              "streamed protocol states it in front of the text too)."),
        protocolParameter(),
        ParameterSpec::integer("keys", "Keys", 4, 1, 10000, "",
                               "Numbers with keys of their own in multi-key and multi-query; the latter asks for all."),
        ParameterSpec::integer("values", "Values", 4, 1, 1000, "", "Numbers under the key that multi-value asks for."),
        ParameterSpec::integer("hops", "Hops", 4, 1, 100, "", "Assignments after the first one in variable-tracking."),
        ParameterSpec::integer("digits", "Digits", 7, 2, 18, "", "Length of the hidden numbers."),
        ParameterSpec::integer("answer", "Answer", 64, 1, 4096, "tokens",
                               "Most tokens of an answer; it ends earlier once everything is found."),
        ParameterSpec::choice("haystack", "Haystack", "text", {"text", "noise"},
                              "The sweep's text, or the same five sentences again and again."),
        ParameterSpec::choice("chat", "Chat", "off", {"off", "auto"},
                              "auto: text and question are the user's turn of the model's chat template, where it has "
                              "one like Qwen2.5's, and the answer is the assistant's.")
            .asOptional(),
    };
}

}  // namespace

const std::vector<EvaluationInfo>& evaluationCatalog() {
    static const std::vector<EvaluationInfo> catalog = {
        {.id = "perplexity",
         .title = "Perplexity",
         .summary = "Perplexity of a text while the cache is pruned: the first tokens warm the cache, the next are "
                    "scored, and both are fed in chunks with a pruning before and after each.",
         .parameters = perplexityParameters()},
        {.id = "retrieval",
         .title = "Retrieval",
         .summary = "Share of facts hidden in a text that greedy answers give back (needle in a haystack and RULER's "
                    "tasks) while the cache is pruned.",
         .usesContexts = false,
         .contextParameter = "length",
         .parameters = retrievalParameters()},
        {.id = "drift",
         .title = "Generation drift",
         .summary = "Greedy continuation of the text's first tokens under the policy, token by token against that of "
                    "the full cache.",
         .usesScore = false,
         .contextParameter = "tokens",
         .parameters = {ParameterSpec::integer("tokens", "Tokens", 128, 1, 1000000, "tokens",
                                               "Tokens written after the prompt, which the warm tokens are."),
                        protocolParameter()}},
        {.id = "speed",
         .title = "Decode speed",
         .summary = "Time of single-token decode steps at a given depth, pruning included, over a cache filled with "
                    "seeded random keys and values.",
         .usesContexts = false,
         .usesDepths = true,
         .usesText = false,
         .isTimed = true,
         .parameters = {ParameterSpec::integer("warmups", "Warm-ups", 3, 0, 1000, "steps",
                                               "Steps taken before the timed ones and not counted."),
                        ParameterSpec::integer(
                            "samples", "Samples", 20, 2, 10000, "steps",
                            "Timed steps; median, 90th percentile, mean and deviation are of these."),
                        // Added when results had been stored without it.
                        ParameterSpec::integer("prefill", "Prefill", 512, 0, std::int64_t{1} << 30, "tokens",
                                               "Length of a prompt whose prefill is timed too; 0: none.")
                            .asOptional()}},
    };
    return catalog;
}

const EvaluationInfo& evaluationInfo(const std::string& id) {
    return catalogEntry(evaluationCatalog(), "evaluation", id, [](const EvaluationInfo& info) { return info.id; });
}

std::optional<ParameterValue> evaluationParameter(const RunConfig& config, const std::string& name) {
    if (const auto given = config.evaluationParameters.find(name); given != config.evaluationParameters.end()) {
        return given->second;
    }
    const ParameterSpec* spec = specOf(evaluationInfo(config.evaluation).parameters, name, config.evaluationParameters);
    return spec == nullptr ? std::nullopt : std::optional(spec->defaultValue);
}

bool holdsPrompt(const RunConfig& config) {
    const auto protocol = evaluationParameter(config, kProtocol);
    return protocol == ParameterValue(std::string(kPrefill)) ||
           protocol == ParameterValue(std::string(kPrefillThenScore));
}

std::int64_t contextTokens(const RunConfig& config) {
    if (config.depth > 0) {
        return config.depth;
    }
    const std::string& name = evaluationInfo(config.evaluation).contextParameter;
    return config.warm + config.score + (name.empty() ? 0 : integerOf(config.evaluationParameters, name));
}

}  // namespace kvist
