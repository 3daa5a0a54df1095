// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/policy_card.h"

namespace kvist {
namespace {

class Phrases {
public:
    void add(bool isTrue, const std::string& phrase) {
        if (isTrue) {
            m_text += (m_text.empty() ? "" : "; ") + phrase;
        }
    }
    std::string orElse(const char* otherwise) const { return m_text.empty() ? otherwise : m_text; }

private:
    std::string m_text;
};

std::string counted(std::int64_t count, const std::string& thing) {
    return count == 1 ? "the last " + thing : "the last " + std::to_string(count) + ' ' + thing + 's';
}

std::string needsOf(const PruningPolicy& policy) {
    const PolicyNeeds needs = policy.needs();
    Phrases phrases;
    phrases.add(needs.attentionMass, "the attention of every query");
    phrases.add(needs.queryWindow > 0, "the queries of " + counted(needs.queryWindow, "token"));
    phrases.add(needs.outputWeight, "the output projection");
    phrases.add(policy.calibration().has_value(), "a calibration of the model with a text");
    phrases.add(needs.probeTokens > 0, "extra passes at the prompt's end");
    phrases.add(policy.needsPrompt(), "a prompt that ends");
    return phrases.orElse("nothing but what the cache holds");
}

std::string savesOf(const PolicyInfo& info, const PruningPolicy& policy) {
    if (info.isStore) {
        return "bytes of each entry, resident and read per step";
    }
    if (policy.schedule() == PlanSchedule::Never) {
        return "nothing";
    }
    return info.usesBudget ? "resident bytes and bytes read per step, down to the budget"
                           : "resident bytes and bytes read per step, as the text allows";
}

std::string costsOf(const PolicyInfo& info, const PruningPolicy& policy) {
    if (info.isStore) {
        return "coding entries once and decoding them at every step";
    }
    const PolicyNeeds needs = policy.needs();
    Phrases phrases;
    const std::string sets = needs.perHead ? " and KV head" : "";
    phrases.add(needs.columns > 0, std::to_string(4 * needs.columns) + " bytes for each entry of a layer" + sets);
    phrases.add(needs.queryWindow > 0, "the kept queries of each layer");
    phrases.add(needs.attentionMass, "attention that writes its probabilities out");
    phrases.add(policy.calibration().has_value(), "a table for each layer");
    phrases.add(needs.probeTokens > 0, "one to three times the prompt's computation");
    return phrases.orElse("nothing beside the plans");
}

void fill(std::string& text, const std::string& phrase) {
    if (text.empty()) {
        text = phrase;
    }
}

}  // namespace

void fillCard(PolicyInfo& info, const PruningPolicy& policy) {
    fill(info.needs, needsOf(policy));
    fill(info.saves, savesOf(info, policy));
    fill(info.costs, costsOf(info, policy));
}

}  // namespace kvist
