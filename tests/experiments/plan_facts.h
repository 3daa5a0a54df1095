// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/sweep_planner.h"
#include "tests/support/fake_engine.h"

namespace kvist::experiments {

/// One fake model and a text, nothing stored.
inline PlanFacts plainFacts() {
    PlanFacts facts;
    ModelInfo model = test::FakeEngine().inspect("/", {});
    model.path = "/models/fake";
    model.name = "fake";
    model.fingerprint = "fake-1";
    facts.models = {model};
    facts.machine = test::FakeEngine().machine();
    facts.textFile = "/texts/book.txt";
    facts.textHash = "abc";
    return facts;
}

/// Window and full at two budgets, perplexity.
inline Sweep plainSweep() {
    Sweep sweep;
    sweep.name = "Plain";
    sweep.models = {"fake"};
    sweep.text = {"book.txt", Segmentation::Whole};
    sweep.contexts = {{"128", "64"}};
    sweep.budgets = "32, 64";
    sweep.policies = {{.id = "full", .parameters = {}}, {.id = "window", .parameters = {}}};
    sweep.evaluations = {{.id = "perplexity", .depths = {}, .parameters = {}}};
    return sweep;
}

}  // namespace kvist::experiments
