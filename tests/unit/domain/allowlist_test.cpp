#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string_view>

namespace baton::domain {

namespace {

using namespace std::chrono_literals;

Downstream listed(std::string_view repo, Level level) {
    return Downstream{.repo = *RepoName::parse(repo), .level = level};
}

TEST(Allowlist, ARepoStandsOnceWhateverItsSpelling) {
    Allowlist list;
    EXPECT_TRUE(list.empty());
    EXPECT_TRUE(list.add(listed("Acme/Alpha", Level::l1)));
    EXPECT_FALSE(list.add(listed("acme/alpha", Level::l4)));
    ASSERT_EQ(list.downstreams().size(), 1U);
    EXPECT_EQ(list.downstreams().front().level, Level::l1);
}

TEST(Allowlist, KeepsFileOrderAndFindsByAnySpelling) {
    Allowlist list;
    list.add(listed("z/z", Level::l2));
    list.add(listed("a/a", Level::l1));
    ASSERT_EQ(list.downstreams().size(), 2U);
    EXPECT_EQ(list.downstreams()[0].repo.text(), "z/z");
    const auto* found = list.find(*RepoName::parse("A/A"));
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->repo.text(), "a/a");
    EXPECT_EQ(list.find(*RepoName::parse("a/b")), nullptr);
}

TEST(Pause, HoldsUntilItsTime) {
    auto one = listed("a/a", Level::l1);
    EXPECT_FALSE(is_paused(one, TimePoint{}));
    one.pause = Pause{.until = TimePoint{1h}, .reason = "new racks"};
    EXPECT_TRUE(is_paused(one, TimePoint{1h} - 1ms));
    EXPECT_FALSE(is_paused(one, TimePoint{1h}));
    EXPECT_EQ(to_text(*one.pause), "paused until 1970-01-01T01:00:00.000Z: new racks");
}

TEST(Finding, PrintsInTheFormThatEditorsFollow) {
    const Finding error{.severity = Severity::error, .line = 3, .column = 7, .message = "no"};
    EXPECT_EQ(to_text(error, "list.yml"), "list.yml:3:7: error: no");
    const Finding whole{.severity = Severity::warning, .message = "hm"};
    EXPECT_EQ(to_text(whole, "list.yml"), "list.yml: warning: hm");
}

TEST(Finding, OnlyErrorsCountAsErrors) {
    EXPECT_FALSE(has_errors({}));
    EXPECT_FALSE(has_errors({{.severity = Severity::warning}}));
    EXPECT_TRUE(has_errors({{.severity = Severity::warning}, {.severity = Severity::error}}));
}

} // namespace

} // namespace baton::domain
