// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/result.h"
#include "experiments/sweep.h"

namespace kvist::experiments {

/// What turns a budget into entries and back.
struct BudgetFacts {
    std::int64_t context = 0;          ///< tokens that the run reads in all
    std::int64_t kvBytesPerToken = 0;  ///< ModelInfo::kvBytesPerToken; 0 where no model is known
};

/// How much of the cache may stay, as the user writes it: tokens ("512"), a share of the context ("25%") or
/// bytes over all layers and heads ("1MiB", "512KiB", "2MB").
class Budget {
public:
    enum class Unit { Tokens, Share, Bytes };

    static Result<Budget> parse(const std::string& text);

    Unit unit() const { return m_unit; }

    /// Entries per layer and KV head, rounded down for bytes and to the nearest for a share. Refused where that
    /// is less than one, and for bytes without a model.
    Result<std::int64_t> entries(const BudgetFacts& facts) const;

    bool operator==(const Budget&) const = default;

private:
    Budget(Unit unit, double amount, std::string text);

    Unit m_unit;
    double m_amount;  ///< tokens, share in 0 … 1, bytes
    std::string m_text;
};

/// All budgets of an axis text.
Result<std::vector<Budget>> parseBudgets(const AxisText& text);

/// "512 entries · 25 % of 2048 · 1.5 MiB": the three forms, those that the facts allow.
std::string budgetForms(std::int64_t entries, const BudgetFacts& facts);

/// "1.5 MiB", "640 KiB", "96 B": bytes for a person, three significant digits, C locale.
std::string bytesText(std::int64_t bytes);

}  // namespace kvist::experiments
