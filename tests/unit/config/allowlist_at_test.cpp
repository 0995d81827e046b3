#include "baton/config/allowlist_at.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace baton::config {

namespace {

TEST(AllowlistAt, ReadsFilesAndFilesOnGithub) {
    for (const std::string_view text :
         {"file:allowlist.yml",
          "file:/etc/baton/list.yml",
          "github:pytorch/pytorch/.github/allowlist.yml@main",
          "github:a/b/c.yml@release/1.0",
          "github:a/b/x@y.yml@v1"}) {
        SCOPED_TRACE(text);
        const auto at = parse_allowlist_at(text);
        ASSERT_TRUE(at.has_value()) << at.error().detail;
        EXPECT_EQ(to_text(*at), text);
    }
    const auto at = parse_allowlist_at("github:a/b/x@y.yml@release/1");
    ASSERT_TRUE(at.has_value());
    const AllowlistOnGithub expected{
        .repo = *RepoName::parse("a/b"), .path = "x@y.yml", .ref = "release/1"
    };
    EXPECT_EQ(std::get<AllowlistOnGithub>(*at), expected);
}

TEST(AllowlistAt, SaysWhatToWriteInstead) {
    const std::array<std::pair<std::string_view, std::string_view>, 12> cases{{
        {"", "write file:PATH or github:OWNER/REPO/PATH@REF"},
        {"allowlist.yml", "write file:PATH or github:OWNER/REPO/PATH@REF"},
        {"file:", "write file:PATH"},
        {"file:///etc/x", "write file:PATH"},
        {"https://github.com/a/b", "write file:PATH"},
        {"github:a/b/c.yml", "names no branch or tag"},
        {"github:a/b/c.yml@", "names no branch or tag"},
        {"github:a/b@main", "names no file in a repository"},
        {"github:a@main", "names no file in a repository"},
        {"github:a /b/c@main", "names no repository"},
        {"github:a/b/../c@main", "has a path that is none"},
        {"github:a/b//c@main", "has a path that is none"},
    }};
    for (const auto& [text, message] : cases) {
        SCOPED_TRACE(text);
        const auto at = parse_allowlist_at(text);
        ASSERT_FALSE(at.has_value());
        EXPECT_NE(at.error().detail.find(message), std::string::npos) << at.error().detail;
    }
}

} // namespace

} // namespace baton::config
