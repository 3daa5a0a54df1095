// SPDX-License-Identifier: GPL-3.0-or-later
#include <numeric>

#include "engine/files/safetensors_file.h"
#include "tests/fuzz/fuzz_folder.h"

/// Every byte that the reader hands out must be there.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kvist;
    const auto path = fuzz::FuzzFolder::instance().write("model.safetensors", {data, size});
    fuzz::refusable([&] {
        const SafetensorsFile file(path);
        for (const auto& [name, tensor] : file.tensors()) {
            [[maybe_unused]] volatile unsigned sum =
                std::accumulate(tensor.bytes.begin(), tensor.bytes.end(), 0U,
                                [](unsigned total, std::byte byte) { return total + std::to_integer<unsigned>(byte); });
        }
    });
    return 0;
}
