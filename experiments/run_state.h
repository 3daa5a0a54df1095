// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>
#include <string_view>

namespace kvist::experiments {

/// Number of a run in its store.
using RunId = qint64;

/// Queued → Running → Finished | Failed | Cancelled. Interrupted: was queued or running when its program
/// ended; offered again.
enum class RunState { Queued, Running, Finished, Failed, Cancelled, Interrupted };

/// Stable lower-case word, as in the store and the CSV ("finished").
const char* toString(RunState state);

/// Inverse of toString; an unknown word throws std::invalid_argument.
RunState runStateOf(std::string_view word);

}  // namespace kvist::experiments
