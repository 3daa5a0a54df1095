// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/utf8_stream.h"

#include <algorithm>
#include <utility>

namespace kvist {
namespace {

/// Bytes of the character that a lead byte starts; 1 for anything else.
std::size_t lengthFrom(unsigned char lead) {
    return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
}

bool isContinuation(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}

/// Bytes at the end that start a character and lack its rest.
std::size_t unfinished(std::string_view text) {
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if (!isContinuation(byte)) {
            return lengthFrom(byte) > back ? back : 0;
        }
    }
    return 0;
}

}  // namespace

std::string Utf8Stream::push(std::string_view bytes) {
    m_pending += bytes;
    const std::size_t keep = unfinished(m_pending);
    std::string complete = m_pending.substr(0, m_pending.size() - keep);
    m_pending.erase(0, complete.size());
    return complete;
}

std::string Utf8Stream::finish() {
    return std::exchange(m_pending, {});
}

}  // namespace kvist
