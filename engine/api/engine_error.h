// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>

namespace kvist {

/// What went wrong, as far as a program must tell cases apart; the message tells a person.
enum class ErrorKind {
    InvalidInput,      ///< a parameter or combination that cannot be run
    UnreadableFile,    ///< a missing, truncated or malformed file
    UnsupportedModel,  ///< a valid model that this program cannot run
    OutOfMemory,
    Cancelled,
    Numerical,  ///< NaN or infinity where a finite number is needed
    Device,     ///< the chosen device is not there or failed
    Internal,
};

/// The only exception that leaves the engine. The message names the file, tensor or parameter and, where
/// known, the remedy.
class EngineError : public std::runtime_error {
public:
    EngineError(ErrorKind kind, const std::string& message) : std::runtime_error(message), m_kind(kind) {}
    ErrorKind kind() const { return m_kind; }

private:
    ErrorKind m_kind;
};

/// Stable lower-case word for a kind ("out-of-memory"), as stored with failed runs.
const char* toString(ErrorKind kind);

}  // namespace kvist
