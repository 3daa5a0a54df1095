// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/byte_symbols.h"

#include <array>

namespace kvist {
namespace {

constexpr int kSymbolLimit = 0x100 + 68;  // 68 bytes are not printable
using SymbolTable = std::array<int, kSymbolLimit>;

constexpr bool isPrintable(int byte) {
    return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
}

constexpr SymbolTable makeTable() {
    SymbolTable bytes{};
    bytes.fill(-1);
    int next = 0x100;
    for (int byte = 0; byte < 0x100; ++byte) {
        bytes[static_cast<std::size_t>(isPrintable(byte) ? byte : next++)] = byte;
    }
    return bytes;
}

constexpr SymbolTable kByteOfSymbol = makeTable();

}  // namespace

std::optional<std::string> bytesOfSymbols(std::string_view symbols) {
    std::string bytes;
    bytes.reserve(symbols.size());
    for (std::size_t at = 0; at < symbols.size();) {
        unsigned symbol = static_cast<unsigned char>(symbols[at++]);
        if (symbol >= 0xC0 && symbol < 0xE0 && at < symbols.size()) {
            symbol = (symbol & 0x1F) << 6 | (static_cast<unsigned char>(symbols[at++]) & 0x3F);
        } else if (symbol >= 0x80) {
            return std::nullopt;
        }
        if (symbol >= kByteOfSymbol.size() || kByteOfSymbol[symbol] < 0) {
            return std::nullopt;
        }
        bytes += static_cast<char>(kByteOfSymbol[symbol]);
    }
    return bytes;
}

}  // namespace kvist
