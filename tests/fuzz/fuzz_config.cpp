// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_config.h"
#include "engine/model/weights.h"
#include "tests/fuzz/fuzz_folder.h"

/// The JSON files of a model: the input is read as config.json and as the index of the shards.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kvist;
    const auto& folder = fuzz::FuzzFolder::instance();
    folder.write("config.json", {data, size});
    folder.write("model.safetensors.index.json", {data, size});
    fuzz::refusable([&] { readModelConfig(folder.path()); });
    fuzz::refusable([&] { Weights weights(folder.path()); });
    return 0;
}
