// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/replace_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

class ReplaceFile : public ::testing::Test {
protected:
    static std::string content(const std::filesystem::path& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(m_folder.path()), {}));
    }

    testing::TemporaryFolder m_folder;
};

TEST_F(ReplaceFile, MakesTheFolderAndReplacesWhatIsThere) {
    const auto file = m_folder.path() / "deep" / "folder" / "file";
    EXPECT_TRUE(replaceFile(file, [](std::ostream& stream) { stream << "first"; }));
    EXPECT_TRUE(replaceFile(file, [&](std::ostream& stream) {
        stream << "second" << std::flush;
        EXPECT_EQ(content(file), "first") << "until the new one is whole";
    }));
    EXPECT_EQ(content(file), "second");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}), 1);
}

TEST_F(ReplaceFile, LeavesTheOldFileWhereWritingFails) {
    const auto file = m_folder.write("file", "old");
    EXPECT_FALSE(replaceFile(file, [](std::ostream& stream) { stream.setstate(std::ios::badbit); }));
    EXPECT_THROW(replaceFile(file, [](std::ostream&) { throw std::runtime_error("stopped"); }), std::runtime_error);
    EXPECT_EQ(content(file), "old");
    EXPECT_EQ(files(), 1u) << "nothing half written stays";
}

TEST_F(ReplaceFile, SaysWhereThePlaceCannotBeWritten) {
    const auto write = [](std::ostream& stream) { stream << "text"; };
    EXPECT_FALSE(replaceFile("/proc/no/such/folder/file", write));
    std::filesystem::create_directory(m_folder.path() / "taken");
    m_folder.write("taken/inside", "kept");
    EXPECT_FALSE(replaceFile(m_folder.path() / "taken", write)) << "a folder stands there";
    EXPECT_EQ(files(), 1u) << "nothing half written stays";
}

}  // namespace
}  // namespace kvist
