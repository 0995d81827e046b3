#include "baton/app/find_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/temp_folder.hpp"

namespace baton::app {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct FindFiles : testing::Test {
    FindFiles() {
        for (const auto* name : {"b.xml", "a.xml", "a.txt", "deep/c.xml", "deep/er/d.xml"}) {
            const auto path = folder.file(name);
            std::filesystem::create_directories(std::filesystem::path(path).parent_path());
            std::ofstream(path) << "x";
        }
        std::filesystem::create_directory_symlink(folder.file("deep"), folder.file("deep/loop"));
    }

    std::string at(const std::string& name) const { return folder.file(name); }

    test::TempFolder folder;
};

TEST_F(FindFiles, NamesOneFileWithoutWildcards) {
    EXPECT_THAT(find_files(at("a.xml")), ElementsAre(at("a.xml")));
    EXPECT_THAT(find_files(at("absent.xml")), IsEmpty());
    EXPECT_THAT(find_files(at("deep")), IsEmpty()) << "a folder is no file";
}

TEST_F(FindFiles, AStarStopsAtASlashAndTwoDoNot) {
    EXPECT_THAT(find_files(at("*.xml")), ElementsAre(at("a.xml"), at("b.xml")));
    EXPECT_THAT(find_files(at("*/*.xml")), ElementsAre(at("deep/c.xml")));
    EXPECT_THAT(
        find_files(at("**/*.xml")),
        ElementsAre(at("a.xml"), at("b.xml"), at("deep/c.xml"), at("deep/er/d.xml"))
    );
}

TEST_F(FindFiles, WhatIsNotThereIsNotFound) {
    EXPECT_THAT(find_files(at("nowhere/**/*.xml")), IsEmpty());
    EXPECT_THAT(find_files(""), IsEmpty());
}

TEST_F(FindFiles, RelativeGlobsStayRelative) {
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(at("deep"));
    const auto flat = find_files("*.xml");
    const auto all = find_files("./**/*.xml");
    std::filesystem::current_path(before);
    EXPECT_THAT(flat, ElementsAre("c.xml"));
    EXPECT_THAT(all, ElementsAre("./c.xml", "./er/d.xml"));
}

} // namespace
} // namespace baton::app
