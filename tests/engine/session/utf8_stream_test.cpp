// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/utf8_stream.h"

#include <gtest/gtest.h>

#include <vector>

namespace kvist {
namespace {

const std::string kText = "aé€😀 naïve — 漢字\n";

/// A piece is whole where no character is cut: neither its first byte continues nor its last sequence is short.
bool isWhole(const std::string& piece) {
    if (piece.empty()) {
        return true;
    }
    std::size_t at = 0;
    while (at < piece.size()) {
        const auto byte = static_cast<unsigned char>(piece[at]);
        const std::size_t length = byte < 0x80 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 0;
        if (length == 0 || at + length > piece.size()) {
            return false;
        }
        at += length;
    }
    return true;
}

TEST(Utf8Stream, EverySplitGivesWholeCharactersAndTheSameText) {
    for (std::size_t size = 1; size <= kText.size(); ++size) {
        Utf8Stream stream;
        std::string all;
        for (std::size_t at = 0; at < kText.size(); at += size) {
            const std::string piece = stream.push(kText.substr(at, size));
            EXPECT_TRUE(isWhole(piece)) << "pieces of " << size;
            all += piece;
        }
        EXPECT_EQ(stream.finish(), "");
        EXPECT_EQ(all, kText);
    }
}

TEST(Utf8Stream, CompleteTextIsNotHeldBack) {
    Utf8Stream stream;
    EXPECT_EQ(stream.push("abc"), "abc");
    EXPECT_EQ(stream.push("€"), "€");
}

TEST(Utf8Stream, ACutCharacterWaitsForTheRest) {
    Utf8Stream stream;
    EXPECT_EQ(stream.push("a\xE2\x82"), "a");
    EXPECT_EQ(stream.push("\xAC"), "€");
}

TEST(Utf8Stream, WhatNeverBecomesACharacterIsNotLost) {
    Utf8Stream stream;
    std::string all = stream.push("\xFFok\x80");
    all += stream.push("\xE2z");
    all += stream.push("\xF0\x9F");
    all += stream.finish();
    EXPECT_EQ(all, "\xFFok\x80\xE2z\xF0\x9F");
}

}  // namespace
}  // namespace kvist
