// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/engine_error.h"

namespace kvist {

const char* toString(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::InvalidInput:
            return "invalid-input";
        case ErrorKind::UnreadableFile:
            return "unreadable-file";
        case ErrorKind::UnsupportedModel:
            return "unsupported-model";
        case ErrorKind::OutOfMemory:
            return "out-of-memory";
        case ErrorKind::Cancelled:
            return "cancelled";
        case ErrorKind::Numerical:
            return "numerical";
        case ErrorKind::Device:
            return "device";
        case ErrorKind::Internal:
            return "internal";
    }
    return "internal";
}

}  // namespace kvist
