// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for libFuzzer where the compiler has none: changes the seeds at random, the same way each time.
//
// usage: fuzz_NAME SECONDS SEED_FILE…     (0 seconds: two thousand changes)
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "tests/fuzz/fuzz_folder.h"

namespace {

using Bytes = std::vector<std::uint8_t>;

class Mutator {
public:
    explicit Mutator(const std::vector<Bytes>& seeds) : m_seeds(seeds) {}

    Bytes next() {
        Bytes bytes = m_seeds[below(m_seeds.size())];
        for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
            change(bytes);
        }
        return bytes;
    }

private:
    std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(m_random); }

    /// Headers lie at the start, so half of the changes go there.
    std::size_t place(const Bytes& bytes) {
        return below(below(2) == 0 ? std::min<std::size_t>(bytes.size(), 256) : bytes.size());
    }

    void change(Bytes& bytes) {
        if (bytes.empty()) {
            bytes.push_back(static_cast<std::uint8_t>(below(256)));
            return;
        }
        const std::size_t at = place(bytes);
        switch (below(7)) {
            case 0:
                bytes[at] = static_cast<std::uint8_t>(below(256));
                break;
            case 1:
                bytes[at] ^= static_cast<std::uint8_t>(1U << below(8));
                break;
            case 2:
                bytes.resize(at);
                break;
            case 3:
                bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::uint8_t>(below(256)));
                break;
            case 4:  // numbers at the edges
                std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                            std::min<std::size_t>(8, bytes.size() - at), below(2) == 0 ? 0xFF : 0x7F);
                break;
            case 5: {  // a piece again somewhere else
                const std::size_t from = below(bytes.size());
                const Bytes piece(bytes.begin() + static_cast<std::ptrdiff_t>(from),
                                  bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), from + 64)));
                bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), piece.begin(), piece.end());
                break;
            }
            default:  // a piece taken out
                bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                            bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), at + 1 + below(64))));
                break;
        }
    }

    const std::vector<Bytes>& m_seeds;
    std::mt19937_64 m_random{20250};
};

}  // namespace

int main(int count, char** arguments) {
    constexpr int kLeastChanges = 2000;
    std::vector<Bytes> seeds;
    for (int i = 2; i < count; ++i) {
        std::ifstream file(arguments[i], std::ios::binary);
        if (!file) {
            std::fprintf(stderr, "cannot read %s\n", arguments[i]);
            return 1;
        }
        seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    if (seeds.empty()) {
        std::fprintf(stderr, "usage: %s SECONDS SEED_FILE...\n", arguments[0]);
        return 1;
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(arguments[1]));
    Mutator mutator(seeds);
    long done = 0;
    for (const Bytes& seed : seeds) {
        LLVMFuzzerTestOneInput(seed.data(), seed.size());
    }
    for (; done < kLeastChanges || std::chrono::steady_clock::now() < end; ++done) {
        const Bytes bytes = mutator.next();
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    std::printf("%ld changed files without a finding\n", done);
    return 0;
}
