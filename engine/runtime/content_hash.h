// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

struct XXH3_state_s;

namespace kvist {

/// Running 128-bit XXH3 hash of everything that was added: for fingerprints, not for security.
class ContentHash {
public:
    ContentHash();
    ~ContentHash();
    ContentHash(ContentHash&&) noexcept;
    ContentHash& operator=(ContentHash&&) noexcept;

    void add(std::span<const std::byte> bytes);
    /// Adds the length and the characters, so that neighbouring texts cannot run together.
    void addText(const std::string& text);
    template <typename Container>
    void addValues(const Container& values) {
        add(std::as_bytes(std::span(values)));
    }
    /// 32 hexadecimal digits.
    std::string digest() const;
    void reset();

private:
    struct Free {
        void operator()(XXH3_state_s* state) const;
    };
    std::unique_ptr<XXH3_state_s, Free> m_state;
};

}  // namespace kvist
