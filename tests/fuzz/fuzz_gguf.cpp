// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>

#include "engine/files/block_format.h"
#include "engine/files/gguf_parts.h"
#include "engine/model/gguf_config.h"
#include "engine/text/qwen_tokenizer_files.h"
#include "tests/fuzz/fuzz_folder.h"

/// Header, metadata, every quantised block, configuration and tokenizer of a GGUF file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kvist;
    const auto path = fuzz::FuzzFolder::instance().write("model.gguf", {data, size});
    fuzz::refusable([&] {
        const GgufFile file(path);
        std::vector<float> values;
        for (const auto& [name, tensor] : file.tensors()) {
            if (tensor.blocks != nullptr && !tensor.bytes.empty()) {
                values.resize(static_cast<std::size_t>(tensor.elements()));
                decodeBlocks(*tensor.blocks, tensor.bytes.data(), tensor.elements() / tensor.blocks->elements,
                             values.data());
            } else if (!tensor.bytes.empty()) {
                [[maybe_unused]] volatile std::byte last = tensor.bytes.back();
            }
        }
    });
    fuzz::refusable([&] { readGgufConfig(path); });
    fuzz::refusable([&] { readGgufTokenizer(path); });
    return 0;
}
