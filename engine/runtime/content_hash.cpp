// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/content_hash.h"

#include <xxhash.h>

#include <cstdint>
#include <cstdio>

namespace kvist {

void ContentHash::Free::operator()(XXH3_state_s* state) const {
    XXH3_freeState(state);
}

ContentHash::ContentHash() : m_state(XXH3_createState()) {
    reset();
}

ContentHash::~ContentHash() = default;
ContentHash::ContentHash(ContentHash&&) noexcept = default;
ContentHash& ContentHash::operator=(ContentHash&&) noexcept = default;

void ContentHash::add(std::span<const std::byte> bytes) {
    XXH3_128bits_update(m_state.get(), bytes.data(), bytes.size());
}

void ContentHash::addText(const std::string& text) {
    const std::uint64_t size = text.size();
    addValues(std::span(&size, 1));
    addValues(text);
}

std::string ContentHash::digest() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(m_state.get());
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                  static_cast<unsigned long long>(hash.low64));
    return text;
}

void ContentHash::reset() {
    XXH3_128bits_reset(m_state.get());
}

}  // namespace kvist
