// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/dtype.h"

#include <gtest/gtest.h>

#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

TEST(Dtype, ElementSizes) {
    EXPECT_EQ(elementSize("float16"), 2);
    EXPECT_EQ(elementSize("bfloat16"), 2);
    EXPECT_EQ(elementSize("float32"), 4);
    EXPECT_EQ(elementSize("float64"), 8);
    EXPECT_EQ(elementSize("int8"), 2);  // the cache is in bfloat16
    EXPECT_THAT([] { elementSize("auto"); }, throwsEngineError(ErrorKind::InvalidInput, "auto"));
    EXPECT_THAT([] { elementSize("float23"); }, throwsEngineError(ErrorKind::InvalidInput, "float23"));
}

TEST(Dtype, BytesPerTokenOfThePublishedModels) {
    ModelInfo model;
    model.kvHeads = 2;
    model.layers = 24;
    model.headDim = 64;
    EXPECT_EQ(model.kvBytesPerToken(2), 12288);  // Qwen2.5-0.5B
    model.layers = 28;
    model.headDim = 128;
    EXPECT_EQ(model.kvBytesPerToken(2), 28672);  // 1.5B
    model.kvHeads = 4;
    EXPECT_EQ(model.kvBytesPerToken(2), 57344);  // 7B
    EXPECT_EQ(model.kvBytesPerToken(4), 114688);
}

TEST(Dtype, AutomaticTypeFollowsDeviceAndProcessor) {
    ModelInfo model;
    model.storedType = "float16";
    MachineInfo machine;
    machine.hasFastBfloat16 = false;
    EXPECT_EQ(resolvedDtype({}, model, machine), "float32");
    machine.hasFastBfloat16 = true;
    EXPECT_EQ(resolvedDtype({}, model, machine), "bfloat16");
    machine.gpus = {"a GPU"};
    EXPECT_EQ(resolvedDtype({}, model, machine), "float16");
    ModelChoice choice;
    choice.device = "cpu";
    EXPECT_EQ(resolvedDtype(choice, model, machine), "bfloat16");
    choice.dtype = "float64";
    EXPECT_EQ(resolvedDtype(choice, model, machine), "float64");
}

}  // namespace
}  // namespace kvist
