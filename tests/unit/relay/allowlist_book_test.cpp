// Who is listed, and who may do less than that for a while.

#include "baton/base/ids.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"
#include "baton/relay/allowlist_book.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace baton::relay {
namespace {

using domain::Level;

const RepoName kUpstream = *RepoName::parse("up/stream");
const RepoName kOne = *RepoName::parse("a/one");
const RepoName kTwo = *RepoName::parse("b/two");

domain::Allowlist listed(Level one, Level two) {
    domain::Allowlist list;
    list.add({.repo = kOne, .level = one});
    list.add({.repo = kTwo, .level = two});
    return list;
}

/// "L2 of L3", or "L3" when it may do all that is listed.
std::string level_of(const AllowlistBook& book, const RepoName& repo) {
    const auto list = book.find(kUpstream);
    const auto* found = list ? list->find(repo) : nullptr;
    if (found == nullptr) {
        return "-";
    }
    const std::string level(domain::name_of(found->level));
    return found->lowered_from
               ? level + " of " + std::string(domain::name_of(domain::listed_level(*found)))
               : level;
}

TEST(AllowlistBook, HandsOutTheLevelThatHoldsAndKeepsTheListedOne) {
    AllowlistBook book;
    book.put(kUpstream, listed(Level::l3, Level::l4));
    const auto before = book.find(kUpstream);
    book.lower(kUpstream, {{kOne, Level::l2}});
    EXPECT_EQ(level_of(book, kOne), "L2 of L3");
    EXPECT_EQ(level_of(book, kTwo), "L4");
    EXPECT_EQ(before->find(kOne)->level, Level::l3) << "what was handed out stays as it was";
    book.lower(kUpstream, {});
    EXPECT_EQ(level_of(book, kOne), "L3");
    EXPECT_EQ(*book.find(kUpstream), listed(Level::l3, Level::l4));
}

TEST(AllowlistBook, KeepsWhatIsLoweredWhenAFreshListComes) {
    AllowlistBook book;
    book.lower(kUpstream, {{kOne, Level::l2}});
    EXPECT_EQ(book.find(kUpstream), nullptr) << "that somebody is lowered makes no list";
    book.put(kUpstream, listed(Level::l3, Level::l4));
    EXPECT_EQ(level_of(book, kOne), "L2 of L3");
    book.put(kUpstream, listed(Level::l4, Level::l4));
    EXPECT_EQ(level_of(book, kOne), "L2 of L4");
}

TEST(AllowlistBook, NeverRaisesAnybody) {
    AllowlistBook book;
    book.lower(kUpstream, {{kOne, Level::l3}, {kTwo, Level::l3}});
    book.put(kUpstream, listed(Level::l2, Level::l3));
    EXPECT_EQ(level_of(book, kOne), "L2");
    EXPECT_EQ(level_of(book, kTwo), "L3");
}

} // namespace
} // namespace baton::relay
