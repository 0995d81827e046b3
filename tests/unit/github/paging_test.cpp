#include "baton/github/paging.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace baton::github {
namespace {

TEST(NextPage, ReadsOneParameterOfTheNextAddress) {
    const struct {
        const char* name;
        const char* link;
        std::optional<std::string> expected;
    } cases[] = {
        {"none", "", std::nullopt},
        {"only the last", R"(<https://x/y?page=9>; rel="last")", std::nullopt},
        {"next", R"(<https://x/y?per_page=100&page=2>; rel="next")", "2"},
        {"among others",
         R"(<https://x/y?page=1>; rel="prev", <https://x/y?page=3>; rel="next", <https://x/y?page=9>; rel="last")",
         "3"},
        {"escaped", R"(<https://x/y?page=v1%5F7>; rel="next")", "v1_7"},
        {"without the parameter", R"(<https://x/y?cursor=2>; rel="next")", std::nullopt},
        {"not closed", R"(<https://x/y?page=2; rel="next")", std::nullopt},
        {"no query", R"(<https://x/y>; rel="next")", std::nullopt},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(next_page(c.link, "page"), c.expected);
    }
}

} // namespace
} // namespace baton::github
