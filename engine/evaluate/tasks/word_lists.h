// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace kvist {

/// Words that keys of needles are made of (words/, compiled in).
const std::vector<std::string>& adjectives();
const std::vector<std::string>& nouns();

}  // namespace kvist
