// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/files/safetensors_file.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/golden_files.h"
#include "tests/engine/support/safetensors_writer.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

using nlohmann::json;
using testing::safetensorsBytes;
using testing::tensorEntry;
using testing::throwsEngineError;

class SafetensorsFileTest : public ::testing::Test {
protected:
    void expectRefused(const std::string& bytes, const std::string& message) {
        const auto path = m_folder.write("broken.safetensors", bytes);
        EXPECT_THAT([&] { SafetensorsFile file(path); },
                    throwsEngineError(ErrorKind::UnreadableFile, "broken.safetensors"));
        EXPECT_THAT([&] { SafetensorsFile file(path); }, throwsEngineError(ErrorKind::UnreadableFile, message));
    }

    testing::TemporaryFolder m_folder;
};

TEST_F(SafetensorsFileTest, ListsTheTensorsOfAFile) {
    const json header = {{"__metadata__", {{"format", "pt"}}},
                         {"b", tensorEntry("F32", {1}, 4, 8)},
                         {"a", tensorEntry("F16", {2, 1}, 0, 4)},
                         {"empty", tensorEntry("F32", {0, 3}, 8, 8)}};
    const SafetensorsFile file(m_folder.write("good.safetensors", safetensorsBytes(header, "abcdefgh")));
    ASSERT_EQ(file.tensors().size(), 3u);
    EXPECT_EQ(file.tensors().at("a").type, at::kHalf);
    EXPECT_EQ(file.tensors().at("a").shape, (std::vector<std::int64_t>{2, 1}));
    EXPECT_EQ(static_cast<char>(file.tensors().at("b").bytes[0]), 'e');
    EXPECT_TRUE(file.tensors().at("empty").bytes.empty());
}

TEST_F(SafetensorsFileTest, EveryTruncationOfARealFileIsRefused) {
    const std::string whole = testing::readBytes(testing::tinyModel("float16") / "model.safetensors");
    for (std::size_t size :
         {std::size_t{0}, std::size_t{7}, std::size_t{8}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
        SCOPED_TRACE(size);
        const auto path = m_folder.write("cut.safetensors", whole.substr(0, size));
        EXPECT_THAT([&] { SafetensorsFile file(path); },
                    throwsEngineError(ErrorKind::UnreadableFile, "cut.safetensors"));
    }
}

TEST_F(SafetensorsFileTest, AWrongHeaderLengthIsRefused) {
    const std::string header = json{{"a", tensorEntry("F32", {1}, 0, 4)}}.dump();
    for (const std::uint64_t length :
         {std::uint64_t{0}, std::uint64_t{header.size() - 1}, std::uint64_t{header.size() + 1},
          std::uint64_t{header.size() + 5}, std::uint64_t{1} << 40, std::numeric_limits<std::uint64_t>::max(),
          std::numeric_limits<std::uint64_t>::max() - 7}) {
        SCOPED_TRACE(length);
        expectRefused(safetensorsBytes(header, "abcd", length), "header");
    }
}

TEST_F(SafetensorsFileTest, AHeaderThatIsNoObjectIsRefused) {
    for (const std::string header : {"[]", "7", "{\"a\":", "\xff\xfe", "null"}) {
        SCOPED_TRACE(header);
        expectRefused(safetensorsBytes(header, "", header.size()), "header");
    }
}

TEST_F(SafetensorsFileTest, OverlappingTensorsAreRefusedByName) {
    const json header = {{"first", tensorEntry("F32", {2}, 0, 8)}, {"second", tensorEntry("F32", {2}, 4, 12)}};
    expectRefused(safetensorsBytes(header, std::string(12, 'x')), "first and second overlap");
    const json same = {{"first", tensorEntry("F32", {2}, 0, 8)}, {"second", tensorEntry("F32", {2}, 0, 8)}};
    expectRefused(safetensorsBytes(same, std::string(8, 'x')), "overlap");
}

TEST_F(SafetensorsFileTest, OffsetsOutsideTheFileAreRefused) {
    const std::string data(8, 'x');
    constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();
    for (const auto& [begin, end] : {std::pair<std::uint64_t, std::uint64_t>{4, 12},
                                     {8, 0},
                                     {kHuge - 7, kHuge},
                                     {std::uint64_t{1} << 62, (std::uint64_t{1} << 62) + 8}}) {
        SCOPED_TRACE(end);
        expectRefused(safetensorsBytes(json{{"the_tensor", tensorEntry("F32", {2}, begin, end)}}, data), "the_tensor");
    }
}

TEST_F(SafetensorsFileTest, ShapesThatOverflowAreRefused) {
    const std::string data(8, 'x');
    for (const std::vector<std::uint64_t>& shape :
         {std::vector<std::uint64_t>{std::uint64_t{1} << 62, 4},  // 4 · 4 · 2^62 wraps to 0
          std::vector<std::uint64_t>{std::uint64_t{1} << 32, std::uint64_t{1} << 32},
          std::vector<std::uint64_t>{(std::uint64_t{1} << 62) + 2},  // 4 bytes each wraps to 8
          std::vector<std::uint64_t>{std::numeric_limits<std::uint64_t>::max()}}) {
        expectRefused(safetensorsBytes(json{{"the_tensor", tensorEntry("F32", shape, 0, 8)}}, data), "the_tensor");
    }
}

TEST_F(SafetensorsFileTest, BytesThatDoNotFitTheShapeAreRefused) {
    const std::string data(8, 'x');
    expectRefused(safetensorsBytes(json{{"the_tensor", tensorEntry("F32", {3}, 0, 8)}}, data), "the_tensor");
    expectRefused(safetensorsBytes(json{{"the_tensor", tensorEntry("BF16", {2}, 0, 8)}}, data), "the_tensor");
}

TEST_F(SafetensorsFileTest, IncompleteEntriesAndUnknownTypesAreRefused) {
    const std::string data(8, 'x');
    expectRefused(safetensorsBytes(json{{"the_tensor", tensorEntry("Q4_K", {2}, 0, 8)}}, data), "Q4_K");
    for (const char* key : {"dtype", "shape", "data_offsets"}) {
        for (const json& wrong : {json(), json("text"), json::array({1}), json(-1), json::array({-4, 4})}) {
            json entry = tensorEntry("F32", {2}, 0, 8);
            entry[key] = wrong;
            SCOPED_TRACE(entry.dump());
            expectRefused(safetensorsBytes(json{{"the_tensor", entry}}, data), "the_tensor");
        }
    }
    expectRefused(safetensorsBytes(json{{"the_tensor", 7}}, data), "the_tensor");
}

TEST_F(SafetensorsFileTest, AMissingFileAndAFolderAreRefused) {
    EXPECT_THAT([&] { SafetensorsFile file(m_folder.path() / "none.safetensors"); },
                throwsEngineError(ErrorKind::UnreadableFile, "none.safetensors"));
    EXPECT_THAT([&] { SafetensorsFile file(m_folder.path()); },
                throwsEngineError(ErrorKind::UnreadableFile, m_folder.path().string()));
}

}  // namespace
}  // namespace kvist
