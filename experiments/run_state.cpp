// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/run_state.h"

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace kvist::experiments {
namespace {

constexpr std::array<std::pair<RunState, const char*>, 6> kWords = {{{RunState::Queued, "queued"},
                                                                     {RunState::Running, "running"},
                                                                     {RunState::Finished, "finished"},
                                                                     {RunState::Failed, "failed"},
                                                                     {RunState::Cancelled, "cancelled"},
                                                                     {RunState::Interrupted, "interrupted"}}};

}  // namespace

const char* toString(RunState state) {
    for (const auto& [known, word] : kWords) {
        if (known == state) {
            return word;
        }
    }
    return "";
}

RunState runStateOf(std::string_view word) {
    for (const auto& [state, known] : kWords) {
        if (known == word) {
            return state;
        }
    }
    throw std::invalid_argument("there is no run state " + std::string(word));
}

}  // namespace kvist::experiments
