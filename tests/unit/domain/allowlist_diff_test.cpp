#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/allowlist_diff.hpp"
#include "baton/domain/level.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace baton::domain {
namespace {

using ::testing::ElementsAreArray;

Downstream entry(std::string_view repo, Level level = Level::l1) {
    Downstream one;
    one.repo = *RepoName::parse(repo);
    one.level = level;
    return one;
}

Allowlist list(const std::vector<Downstream>& entries) {
    Allowlist all;
    for (const auto& one : entries) {
        EXPECT_TRUE(all.add(one));
    }
    return all;
}

TEST(AllowlistDiff, NamesWhoCameWhoLeftWhoMovedAndWhoChanged) {
    auto slower = entry("a/slower");
    slower.max_per_day = 3;
    const auto before =
        list({entry("a/stays"), entry("a/leaves"), entry("a/moves"), entry("a/slower")});
    const auto after =
        list({entry("a/comes"), entry("a/moves", Level::l2), entry("a/stays"), slower});
    std::vector<std::string> told;
    for (const auto& change : changes_between(before, after)) {
        told.push_back(change.repo().text() + " " + std::string(name_of(change.kind())));
    }
    EXPECT_THAT(
        told,
        ElementsAreArray({"a/comes added", "a/moves moved", "a/slower changed", "a/leaves removed"})
    );
}

TEST(AllowlistDiff, SeesNoDifferenceInSpellingAndOrder) {
    auto one = entry("Acme/Alpha");
    one.line = 3;
    one.oncalls = {Login("ann"), Login("bob")};
    one.paths = {"a/**", "b/**"};
    auto same = entry("acme/alpha");
    same.line = 9;
    same.oncalls = {Login("bob"), Login("ann")};
    same.paths = {"b/**", "a/**"};
    EXPECT_TRUE(changes_between(list({one, entry("x/y")}), list({entry("X/Y"), same})).empty());
}

struct Case {
    const char* name;
    std::function<void(Downstream& before, Downstream& after)> change;
    std::vector<std::string> meaning;
};

TEST(AllowlistDiff, SaysWhatAChangeDoes) {
    const Case cases[] = {
        {"up to the HUD",
         [](Downstream&, Downstream& after) { after.level = Level::l2; },
         {"its results are on the HUD"}},
        {"up to checks by label",
         [](Downstream& before, Downstream& after) {
             before.level = Level::l2;
             after.level = Level::l3;
         },
         {"gets a check where a label asks for its device"}},
        {"up to the gate",
         [](Downstream& before, Downstream& after) {
             before.level = Level::l3;
             after.level = Level::l4;
         },
         {"gets a check on every pull request", "blocks merges through the gate"}},
        {"down from the gate to forwarding",
         [](Downstream& before, Downstream&) { before.level = Level::l4; },
         {"its results leave the HUD", "gets no checks any more", "blocks no merges any more"}},
        {"no pull requests",
         [](Downstream&, Downstream& after) { after.events.pull_request = false; },
         {"gets no pull requests and pushes"}},
        {"only with a label",
         [](Downstream&, Downstream& after) { after.trigger = Trigger::label; },
         {"gets a pull request once a label asks for it"}},
        {"without a label",
         [](Downstream& before, Downstream&) { before.trigger = Trigger::label; },
         {"gets pull requests and pushes"}},
        {"a pause",
         [](Downstream&, Downstream& after) {
             after.pause = Pause{.until = from_ms(1'800'000'000'000), .reason = "moving"};
         },
         {"gets nothing before " + to_rfc3339(from_ms(1'800'000'000'000))}},
        {"its end",
         [](Downstream& before, Downstream&) { before.pause = Pause{}; },
         {"is no longer paused"}},
        {"less trust",
         [](Downstream&, Downstream& after) { after.trust = Trust::write; },
         {"gets only pull requests of people with write access"}},
        {"a new limit",
         [](Downstream&, Downstream& after) { after.max_concurrent = 2; },
         {"has other limits on how much it is sent"}},
        {"a private one",
         [](Downstream&, Downstream& after) { after.visibility = Visibility::closed; },
         {"disappears from public pages"}},
        {"other people on call: nothing that happens by itself",
         [](Downstream&, Downstream& after) { after.oncalls = {Login("ann")}; },
         {}},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        auto before = entry("a/b");
        auto after = entry("a/b");
        c.change(before, after);
        EXPECT_THAT(meaning_of({.before = &before, .after = &after}), ElementsAreArray(c.meaning));
    }
}

TEST(AllowlistDiff, SaysWhatComingAndLeavingMeans) {
    const auto gate = entry("a/b", Level::l4);
    const std::vector<std::string> comes{
        "gets pull requests and pushes",
        "its results are on the HUD",
        "gets a check on every pull request",
        "blocks merges through the gate",
    };
    const std::vector<std::string> leaves{
        "gets no events any more",
        "its results leave the HUD",
        "gets no checks any more",
        "blocks no merges any more",
    };
    EXPECT_THAT(meaning_of({.before = nullptr, .after = &gate}), ElementsAreArray(comes));
    EXPECT_THAT(meaning_of({.before = &gate, .after = nullptr}), ElementsAreArray(leaves));
}

} // namespace
} // namespace baton::domain
