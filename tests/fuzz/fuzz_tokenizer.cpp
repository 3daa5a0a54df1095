// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>

#include "engine/text/tokenizer.h"
#include "tests/fuzz/fuzz_folder.h"

namespace {

/// Opens the folder's tokenizer, and where it opens, encodes and decodes.
void use(const std::filesystem::path& folder) {
    kvist::fuzz::refusable([&] {
        const auto tokenizer = kvist::openTokenizer(folder);
        const std::string text = "The cat's 12 <|endoftext|> \xC3\xA9\xFF\n\nend";
        tokenizer->decode(tokenizer->encode(text));
        tokenizer->cutAfter(text, 3);
    });
}

}  // namespace

/// tokenizer.json, or where the first byte is 'v', vocab.json, merges.txt and tokenizer_config.json, cut at zero bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kvist;
    const auto& folder = fuzz::FuzzFolder::instance();
    for (const char* name : {"tokenizer.json", "vocab.json", "merges.txt", "tokenizer_config.json"}) {
        std::filesystem::remove(folder.path() / name);
    }
    if (size == 0 || data[0] != 'v') {
        folder.write("tokenizer.json", {data, size});
        use(folder.path());
        return 0;
    }
    std::span<const std::uint8_t> rest(data + 1, size - 1);
    for (const char* name : {"vocab.json", "merges.txt", "tokenizer_config.json"}) {
        std::size_t length = 0;
        while (length < rest.size() && rest[length] != 0) {
            ++length;
        }
        folder.write(name, rest.first(length));
        rest = rest.subspan(std::min(length + 1, rest.size()));
    }
    use(folder.path());
    return 0;
}
