// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/keyed_random.h"

namespace kvist {
namespace {

std::uint64_t mixed(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15U;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31);
}

}  // namespace

float keyedRandom(std::initializer_list<std::uint64_t> keys) {
    std::uint64_t state = 0;
    for (const std::uint64_t key : keys) {
        state = mixed(state + key);
    }
    return static_cast<float>(state >> 40) * 0x1p-24F;
}

}  // namespace kvist
