// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace kvist {

/// A token that is found as written, whatever the merges would make of it ("<|im_end|>").
struct AddedToken {
    std::string content;
    std::int32_t id = 0;
    bool isNormalized = false;  ///< looked for in the normalised text; otherwise in the text as it came
};

}  // namespace kvist
