// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/files/gguf_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/model/weights.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/gguf_builder.h"
#include "tests/engine/support/golden_files.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

using testing::GgufBuilder;
using testing::throwsEngineError;

constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();

std::filesystem::path fixture(const std::string& name) {
    return testing::dataFolder() / "gguf" / name;
}

class GgufFileTest : public ::testing::Test {
protected:
    void expectRefused(const std::string& bytes, const std::string& message,
                       ErrorKind kind = ErrorKind::UnreadableFile) {
        const auto path = m_folder.write("broken.gguf", bytes);
        EXPECT_THAT([&] { GgufFile file(path); }, throwsEngineError(kind, "broken.gguf"));
        EXPECT_THAT([&] { GgufFile file(path); }, throwsEngineError(kind, message));
    }

    /// A file of one float32 tensor of two elements, "the_tensor".
    static GgufBuilder good() {
        GgufBuilder builder;
        builder.text("general.architecture", "test");
        builder.tensors.push_back({"the_tensor", {2}, 0, std::string(8, '\0')});
        return builder;
    }

    testing::TemporaryFolder m_folder;
};

TEST_F(GgufFileTest, ReadsEveryKindOfValue) {
    GgufBuilder builder = good();
    builder.value("i8", 1, GgufBuilder::raw(std::int8_t{-3}))
        .value("u16", 2, GgufBuilder::raw(std::uint16_t{65535}))
        .value("i16", 3, GgufBuilder::raw(std::int16_t{-300}))
        .value("i32", 5, GgufBuilder::raw(std::int32_t{-70000}))
        .value("yes", 7, GgufBuilder::raw(std::uint8_t{1}))
        .value("u64", 10, GgufBuilder::raw(std::uint64_t{1} << 40))
        .value("i64", 11, GgufBuilder::raw(-(std::int64_t{1} << 40)))
        .value("f64", 12, GgufBuilder::raw(0.1))
        .real("f32", 0.5F)
        .number("u32", 4000000000U)
        .texts("words", {"one", "", "three"})
        .numbers("list", {1, -2, 3});
    const GgufFile file(m_folder.write("good.gguf", builder.bytes()));
    const GgufMetadata& metadata = file.metadata();
    EXPECT_EQ(metadata.text("general.architecture"), "test");
    EXPECT_EQ(metadata.wholeNumber("i8"), -3);
    EXPECT_EQ(metadata.wholeNumber("u16"), 65535);
    EXPECT_EQ(metadata.wholeNumber("i16"), -300);
    EXPECT_EQ(metadata.wholeNumber("i32"), -70000);
    EXPECT_EQ(metadata.wholeNumber("u32"), 4000000000);
    EXPECT_EQ(metadata.wholeNumber("u64"), std::int64_t{1} << 40);
    EXPECT_EQ(metadata.wholeNumber("i64"), -(std::int64_t{1} << 40));
    EXPECT_EQ(metadata.number("f64"), 0.1);
    EXPECT_EQ(metadata.number("f32"), 0.5);
    EXPECT_EQ(metadata.number("i8"), -3.0);
    EXPECT_EQ(metadata.wholeNumber("absent"), std::nullopt);
    ASSERT_NE(metadata.texts("words"), nullptr);
    EXPECT_EQ(*metadata.texts("words"), (std::vector<std::string_view>{"one", "", "three"}));
    ASSERT_NE(metadata.wholeNumbers("list"), nullptr);
    EXPECT_EQ(*metadata.wholeNumbers("list"), (std::vector<std::int64_t>{1, -2, 3}));
    EXPECT_THAT([&] { metadata.wholeNumber("f32"); }, throwsEngineError(ErrorKind::UnreadableFile, "\"f32\""));
    EXPECT_THAT([&] { metadata.text("i8"); }, throwsEngineError(ErrorKind::UnreadableFile, "\"i8\""));
    EXPECT_THAT([&] { metadata.count("absent"); }, throwsEngineError(ErrorKind::UnreadableFile, "missing"));
    EXPECT_THAT([&] { metadata.count("i8"); }, throwsEngineError(ErrorKind::UnreadableFile, "-3"));
}

TEST_F(GgufFileTest, EveryFormIsDecodedAsTheReferenceDoesBitForBit) {
    const std::string expected = testing::readBytes(fixture("types.f32"));
    const Weights weights(fixture("types.gguf"));
    const GgufFile file(fixture("types.gguf"));
    std::vector<std::pair<const std::byte*, std::string>> inOrder;
    for (const auto& [name, tensor] : file.tensors()) {
        inOrder.emplace_back(tensor.bytes.data(), name);
    }
    std::sort(inOrder.begin(), inOrder.end());
    ASSERT_EQ(inOrder.size(), 19u);
    std::size_t at = 0;
    for (const auto& [data, name] : inOrder) {
        const at::Tensor values = at::empty(file.tensors().at(name).shape, at::kFloat);
        weights.copyTo(name, values);
        ASSERT_LE(at + values.nbytes(), expected.size());
        EXPECT_EQ(std::string(static_cast<const char*>(values.data_ptr()), values.nbytes()),
                  expected.substr(at, values.nbytes()))
            << name;
        at += values.nbytes();
        const at::Tensor rounded = at::empty_like(values, at::kBFloat16);
        weights.copyTo(name, rounded);
        EXPECT_TRUE(rounded.equal(values.to(at::kBFloat16))) << name;
    }
    EXPECT_EQ(at, expected.size());
}

TEST_F(GgufFileTest, EveryTruncationIsRefused) {
    const std::string whole = testing::readBytes(fixture("types.gguf"));
    for (std::size_t size = 0; size < whole.size(); size += size < 2000 ? 1 : 97) {
        SCOPED_TRACE(size);
        const auto path = m_folder.write("cut.gguf", whole.substr(0, size));
        EXPECT_THAT([&] { GgufFile file(path); }, throwsEngineError(ErrorKind::UnreadableFile, "cut.gguf"));
    }
}

TEST_F(GgufFileTest, OtherVersionsAndByteOrdersAreNamed) {
    GgufBuilder builder = good();
    for (const auto& [version, message] :
         {std::pair{1U, "version 1"}, {4U, "version 4"}, {0x03000000U, "big-endian"}}) {
        builder.version = version;
        expectRefused(builder.bytes(), message);
    }
    builder.version = 2;
    EXPECT_NO_THROW(GgufFile(m_folder.write("two.gguf", builder.bytes())));
}

TEST_F(GgufFileTest, FilesOfOtherKindsAreCalledByTheirKind) {
    const std::string safetensors = testing::readBytes(testing::tinyModel("untied") / "model.safetensors");
    expectRefused(safetensors, "safetensors");
    expectRefused("", "empty");
    expectRefused(std::string("PK\x03\x04") + "archive/data.pkl", "PyTorch");
    expectRefused("version https://git-lfs.github.com/spec/v1", "Git LFS pointer");
    expectRefused("tjgg old model", "before GGUF");
    expectRefused("{\"architectures\": []}", "JSON");
    expectRefused("<!DOCTYPE html>", "web page");
    expectRefused("once upon a time", "no kind");
}

TEST_F(GgufFileTest, CountsLargerThanTheFileAreRefused) {
    for (const std::uint64_t count : {std::uint64_t{3}, std::uint64_t{1} << 40, kHuge}) {
        SCOPED_TRACE(count);
        GgufBuilder builder = good();
        builder.tensorCount = count;
        expectRefused(builder.bytes(), "tensor");
        builder = good();
        builder.valueCount = count;
        expectRefused(builder.bytes(), "");
    }
    for (const std::uint64_t length : {std::uint64_t{1000}, kHuge, kHuge - 7}) {
        GgufBuilder builder = good();
        builder.value("a.text", 8, GgufBuilder::raw(length) + "text");
        expectRefused(builder.bytes(), "a.text");
        for (const std::uint32_t kind : {0U, 4U, 6U, 8U, 10U}) {
            builder = good();
            builder.value("a.list", 9, GgufBuilder::raw(kind) + GgufBuilder::raw(length) + "list");
            expectRefused(builder.bytes(), "a.list");
        }
    }
}

TEST_F(GgufFileTest, UnknownKindsOfValuesAreRefusedByKey) {
    expectRefused(good().value("odd", 13, "abcd").bytes(), "odd");
    expectRefused(good().value("odd", kHuge & 0xFFFFFFFF, "abcd").bytes(), "odd");
    const std::string nested = GgufBuilder::raw(std::uint32_t{9}) + GgufBuilder::raw(std::uint64_t{1});
    expectRefused(good().value("odd", 9, nested + nested).bytes(), "odd");
    expectRefused(good().value("odd", 10, GgufBuilder::raw(kHuge)).bytes(), "odd");
    expectRefused(good().text("general.architecture", "again").bytes(), "general.architecture");
}

TEST_F(GgufFileTest, AlignmentIsHonouredOrRefused) {
    GgufBuilder builder = good();
    builder.alignment = 64;
    builder.number("general.alignment", 64);
    builder.tensors.push_back({"second", {1}, 0, GgufBuilder::raw(1.5F)});
    const GgufFile file(m_folder.write("aligned.gguf", builder.bytes()));
    float value = 0;
    std::memcpy(&value, file.tensors().at("second").bytes.data(), sizeof value);
    EXPECT_EQ(value, 1.5F);
    for (const std::uint32_t wrong : {0U, 3U, 48U, 4294967295U}) {
        expectRefused(good().number("general.alignment", wrong).bytes(), "general.alignment");
    }
    builder = good();
    builder.tensors[0].offset = 4;
    expectRefused(builder.bytes(), "the_tensor");
}

TEST_F(GgufFileTest, OffsetsOutsideTheFileAndOverlapsAreRefusedByName) {
    for (const std::uint64_t offset : {std::uint64_t{32}, std::uint64_t{1} << 62, kHuge - 31}) {
        SCOPED_TRACE(offset);
        GgufBuilder builder = good();
        builder.tensors[0].offset = offset;
        expectRefused(builder.bytes(), "the_tensor");
    }
    GgufBuilder builder = good();
    builder.tensors.push_back({"second", {2}, 0, std::string(8, '\0'), 0});
    expectRefused(builder.bytes(), "overlap");
    builder = good();
    builder.tensors.push_back(builder.tensors[0]);
    expectRefused(builder.bytes(), "the_tensor");
}

TEST_F(GgufFileTest, ShapesThatOverflowAreRefused) {
    for (const std::vector<std::uint64_t>& extents : {std::vector<std::uint64_t>{std::uint64_t{1} << 62, 4},
                                                      {std::uint64_t{1} << 32, std::uint64_t{1} << 32},
                                                      {(std::uint64_t{1} << 62) + 2},
                                                      {kHuge},
                                                      {9},
                                                      {2, 2, 2, 2, 2}}) {
        GgufBuilder builder = good();
        builder.tensors[0].extents = extents;
        expectRefused(builder.bytes(), "the_tensor");
    }
}

TEST_F(GgufFileTest, RowsThatAreNoWholeBlocksAreRefused) {
    for (const auto& [type, row] : {std::pair<std::uint32_t, std::uint64_t>{8, 33}, {12, 128}, {20, 16}}) {
        GgufBuilder builder = good();
        builder.tensors[0].extents = {row, 2};
        builder.tensors[0].type = type;
        builder.tensors[0].data = std::string(1024, '\0');
        expectRefused(builder.bytes(), "blocks");
    }
}

TEST_F(GgufFileTest, FormsThatAreNotReadAreNamed) {
    for (const auto& [type, name] : {std::pair{16U, "IQ2_XXS"}, {23U, "IQ4_XS"}, {39U, "MXFP4"}, {77U, "type 77"}}) {
        GgufBuilder builder = good();
        builder.tensors[0].extents = {256};
        builder.tensors[0].type = type;
        builder.tensors[0].data = std::string(1024, '\0');
        expectRefused(builder.bytes(), name, ErrorKind::UnsupportedModel);
        expectRefused(builder.bytes(), "the_tensor", ErrorKind::UnsupportedModel);
    }
}

TEST_F(GgufFileTest, NanInAScaleIsRefusedWithItsTensor) {
    GgufBuilder builder = good();
    builder.tensors[0].extents = {32};
    builder.tensors[0].type = 8;
    builder.tensors[0].data = GgufBuilder::raw(std::uint16_t{0x7E00}) + std::string(32, '\1');
    const auto path = m_folder.write("nan.gguf", builder.bytes());
    const at::Tensor values = at::empty({32}, at::kFloat);
    EXPECT_THAT([&] { Weights(path).copyTo("the_tensor", values); },
                throwsEngineError(ErrorKind::UnreadableFile, "nan.gguf: tensor the_tensor holds NaN"));
}

TEST(HuggingFaceNames, AreThoseOfQwen2) {
    EXPECT_EQ(huggingFaceName("blk.3.attn_q.bias"), "model.layers.3.self_attn.q_proj.bias");
    EXPECT_EQ(huggingFaceName("blk.27.ffn_norm.weight"), "model.layers.27.post_attention_layernorm.weight");
    EXPECT_EQ(huggingFaceName("token_embd.weight"), "model.embed_tokens.weight");
    for (const char* other : {"blk.", "blk..", "blk.3", "blk.3.weight", "blk.3.strange.weight", "rope_freqs.weight"}) {
        EXPECT_EQ(huggingFaceName(other), other);
    }
}

}  // namespace
}  // namespace kvist
