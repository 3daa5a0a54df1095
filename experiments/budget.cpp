// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/budget.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "experiments/number_text.h"
#include "experiments/value_range.h"

namespace kvist::experiments {
namespace {

constexpr std::array<std::pair<const char*, double>, 8> kByteUnits = {{{"B", 1},
                                                                       {"KiB", 1024.0},
                                                                       {"MiB", 1024.0 * 1024},
                                                                       {"GiB", 1024.0 * 1024 * 1024},
                                                                       {"kB", 1e3},
                                                                       {"KB", 1e3},
                                                                       {"MB", 1e6},
                                                                       {"GB", 1e9}}};

Refusal notABudget(const std::string& text) {
    return {"budgets", text + ": expected tokens (512), a share of the context (25%) or bytes (1MiB, 512KiB, 2MB)"};
}

}  // namespace

Budget::Budget(Unit unit, double amount, std::string text) : m_unit(unit), m_amount(amount), m_text(std::move(text)) {}

Result<Budget> Budget::parse(const std::string& text) {
    const std::size_t numberEnd = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::size_t unitBegin = std::min(text.find_first_not_of(' ', numberEnd), text.size());
    const std::string unit = text.substr(unitBegin);
    if (unit.empty()) {
        const auto tokens = numberOf<std::int64_t>(text.substr(0, numberEnd));
        return tokens && *tokens > 0 ? Result(Budget(Unit::Tokens, static_cast<double>(*tokens), text))
                                     : Result<Budget>(notABudget(text));
    }
    const auto number = numberOf<double>(text.substr(0, numberEnd));
    if (!number || *number <= 0) {
        return notABudget(text);
    }
    if (unit == "%") {
        return *number <= 100 ? Result(Budget(Unit::Share, *number / 100, text))
                              : Result<Budget>(Refusal{"budgets", text + ": a share is at most 100%"});
    }
    for (const auto& [name, factor] : kByteUnits) {
        if (unit == name) {
            return Budget(Unit::Bytes, *number * factor, text);
        }
    }
    return notABudget(text);
}

Result<std::int64_t> Budget::entries(const BudgetFacts& facts) const {
    double entries = m_amount;
    if (m_unit == Unit::Share) {
        entries = std::round(m_amount * static_cast<double>(facts.context));
    } else if (m_unit == Unit::Bytes) {
        if (facts.kvBytesPerToken <= 0) {
            return Refusal{"budgets", m_text + ": bytes need a model; choose one or give tokens"};
        }
        entries = std::floor(m_amount / static_cast<double>(facts.kvBytesPerToken));
    }
    if (entries < 1) {
        return Refusal{"budgets", m_text + ": less than one entry per layer and KV head; take more"};
    }
    return static_cast<std::int64_t>(entries);
}

Result<std::vector<Budget>> parseBudgets(const AxisText& text) {
    const auto values = expandedAxis(text);
    if (!values) {
        return Refusal{"budgets", values.refusal().message};
    }
    std::vector<Budget> budgets;
    for (const std::string& value : *values) {
        auto budget = Budget::parse(value);
        if (!budget) {
            return budget.refusal();
        }
        budgets.push_back(*std::move(budget));
    }
    return budgets;
}

std::string budgetForms(std::int64_t entries, const BudgetFacts& facts) {
    std::string text = numberText(entries) + (entries == 1 ? " entry" : " entries");
    if (facts.context > 0) {
        const double share = 100.0 * static_cast<double>(entries) / static_cast<double>(facts.context);
        text += " · " + numberText(share, 3) + " % of " + numberText(facts.context);
    }
    if (facts.kvBytesPerToken > 0) {
        text += " · " + bytesText(entries * facts.kvBytesPerToken);
    }
    return text;
}

std::string bytesText(std::int64_t bytes) {
    static constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
    double amount = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (amount >= 1023.5 && unit + 1 < kUnits.size()) {
        amount /= 1024;
        ++unit;
    }
    return (amount < 1000 ? numberText(amount, 3) : numberText(std::round(amount))) + " " + kUnits[unit];
}

}  // namespace kvist::experiments
