#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check_text.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "unit/domain/gate_story.hpp"

namespace baton::domain {

namespace {

using namespace gate_story;

using Parts = std::vector<GatePart>;

const Subject kSubject{.upstream = kUpstream, .pr = PrNumber{7}, .head = HeadSha("a")};

GatePart part_named(const std::string& repo, PartState state, const std::string& reason = "so") {
    GatePart one;
    one.downstream = *RepoName::parse("down/" + repo);
    one.oncalls = {Login("own-" + repo)};
    one.state = state;
    one.reason = reason;
    one.since = kAccepted;
    one.suspended = reason.starts_with("suspended");
    if (!is_decided(state)) {
        one.until = kAccepted + 30min;
    }
    if (state == PartState::failed) {
        one.failing = {job({.conclusion = Conclusion::failure})};
        one.failing[0].url = "https://ci.example/1";
    }
    return one;
}

GateTextFacts facts_of(const Parts& parts, std::string_view standing = {}) {
    return {
        .parts = parts,
        .subject = kSubject,
        .page = "https://relay.example",
        .newer = HeadSha("b"),
        .standing = standing,
    };
}

std::size_t mentions(const std::string& text, const std::string& login) {
    std::size_t count = 0;
    const auto plain = " @" + login;
    for (auto at = text.find(plain); at != std::string::npos; at = text.find(plain, at + 1)) {
        ++count;
    }
    return count;
}

TEST(GateText, ShowsAtOneGlanceWhoBlocksAndWhatToDo) {
    const Parts parts{
        part_named("green", PartState::passed, "3 jobs passed"),
        part_named("late", PartState::waiting, "it has not started yet"),
        part_named("red", PartState::failed, "CI/test failed"),
        part_named("gone", PartState::neutral, "it did not start within 30m"),
    };
    const auto text = text_of_gate(facts_of(parts));
    EXPECT_EQ(text.title, "Blocked by down/red");
    EXPECT_EQ(
        text.summary,
        "**Blocked by down/red**\n"
        "\n"
        "- **`down/red`** failed: CI/test failed\n"
        "  - since 2027-01-15 08:00 UTC; owner: @own-red\n"
        "  - `CI/test`: no failed test was reported: the build, the set-up or the infrastructure, "
        "see [the run](https://ci.example/1)\n"
        "  - what to do: look at what failed; comment `@baton rerun down/red` when it is not the "
        "change, or ask the owner\n"
        "\n"
        "- **`down/late`** waiting: it has not started yet\n"
        "  - since 2027-01-15 08:00 UTC; owner: `own-late`\n"
        "  - what to do: nothing: it turns neutral at 2027-01-15 08:30 UTC unless it has started\n"
        "\n"
        "| downstream | state | why | since |\n"
        "|---|---|---|---|\n"
        "| `down/gone` | neutral | it did not start within 30m | 2027-01-15 08:00 UTC |\n"
        "| `down/green` | passed | 3 jobs passed | 2027-01-15 08:00 UTC |\n"
        "\n"
        "[All downstreams of this pull request](https://relay.example/pr/up/stream/7)\n"
    );
}

TEST(GateText, BeginsWithTheVerdict) {
    struct Case {
        std::string name;
        Parts parts;
        Overtaken overtaken;
        std::string title;
    };

    const auto a = [](PartState state) { return part_named("a", state); };
    const auto b = [](PartState state) { return part_named("b", state); };
    using enum PartState;
    for (const auto& c : std::vector<Case>{
             {"nobody", {}, Overtaken::no, "Nothing to wait for"},
             {"passed", {a(passed)}, Overtaken::no, "Passed: 1 of 1 downstreams"},
             {"neutral",
              {a(passed), b(neutral)},
              Overtaken::no,
              "Passed: 1 of 2 downstreams, 1 neutral"},
             {"one open", {a(passed), b(running)}, Overtaken::no, "Waiting for down/b"},
             {"two open", {a(waiting), b(held)}, Overtaken::no, "Waiting for down/b and 1 more"},
             {"settling", {a(settling)}, Overtaken::no, "Waiting for down/a"},
             {"red and open", {a(waiting), b(failed)}, Overtaken::no, "Blocked by down/b"},
             {"two red", {a(failed), b(failed)}, Overtaken::no, "Blocked by down/a and 1 more"},
             {"moved on", {a(waiting)}, Overtaken::newer_commit, "Overtaken by commit b"},
             {"closed", {a(waiting)}, Overtaken::closed, "The pull request was closed"},
         }) {
        SCOPED_TRACE(c.name);
        auto facts = facts_of(c.parts);
        facts.overtaken = c.overtaken;
        const auto text = text_of_gate(facts);
        EXPECT_EQ(text.title, c.title);
        EXPECT_TRUE(text.summary.starts_with("**" + c.title + "**")) << text.summary;
    }
}

TEST(GateText, DoesNotDependOnTheOrderOfParts) {
    Parts parts{
        part_named("a", PartState::failed),
        part_named("b", PartState::running),
        part_named("c", PartState::neutral),
    };
    const auto text = text_of_gate(facts_of(parts));
    std::ranges::reverse(parts);
    EXPECT_EQ(text_of_gate(facts_of(parts)), text);
}

TEST(GateText, FitsIntoGithubsLimitsAndSaysThatItWasCut) {
    Parts parts;
    for (int i = 0; i < 2000; ++i) {
        parts.push_back(
            part_named(fmt::format("{:0>90}", i), PartState::failed, std::string(900, '@'))
        );
    }
    const auto text = text_of_gate(facts_of(parts));
    EXPECT_LE(text.title.size(), kCheckTitleMax);
    EXPECT_LE(text.summary.size(), kCheckSummaryMax);
    EXPECT_NE(text.summary.find("The rest was cut"), std::string::npos);
    EXPECT_LE(text_of_comment(facts_of(parts)).size(), kCheckSummaryMax);
}

RC_GTEST_PROP(GateTextProperty, WhatStrangersWriteNeverLeavesItsPlace, ()) {
    const auto piece = rc::gen::element<std::string>(
        "`", "|", "\n", "<img>", "<!-- told: down/x -->", "@everyone", "[x](y)", "#1", "\xFF", "- "
    );
    std::string words = "@";
    for (const auto& one : *rc::gen::container<std::vector<std::string>>(piece)) {
        words += one;
    }
    const auto outside = [](const std::string& name) {
        auto one = part_named("a", PartState::failed, name + " failed");
        one.failing[0].key.workflow = name;
        one.failing[0].key.job = name;
        const Parts parts{one, part_named("b", PartState::neutral, name)};
        const auto both = text_of_gate(facts_of(parts)).summary + text_of_comment(facts_of(parts));
        return std::regex_replace(both, std::regex("`[^`\n]*`"), "CODE");
    };
    RC_ASSERT(outside(words) == outside("@"));
}

TEST(CommentText, IsEmptyWhileNothingEverWasWrong) {
    using enum PartState;
    for (const auto state : {waiting, running, settling, held, passed}) {
        EXPECT_EQ(text_of_comment(facts_of({part_named("a", state)})), "") << name_of(state);
    }
    EXPECT_EQ(text_of_comment(facts_of({})), "");
}

TEST(CommentText, BeginsWithItsMarkAndTellsTheOwnerOfTrouble) {
    const Parts parts{part_named("red", PartState::failed, "CI/test failed")};
    const auto text = text_of_comment(facts_of(parts));
    EXPECT_TRUE(text.starts_with(comment_mark("crcr") + "\n<!-- told: down/red -->\n\n"));
    EXPECT_NE(text.find("**Downstream CI: Blocked by down/red**"), std::string::npos);
    EXPECT_EQ(mentions(text, "own-red"), 1U);
    const Parts silent{part_named("gone", PartState::neutral, "it did not start within 30m")};
    EXPECT_EQ(mentions(text_of_comment(facts_of(silent)), "own-gone"), 1U);
}

TEST(CommentText, MentionsTheSamePeopleUntilTheIncidentIsOver) {
    using enum PartState;
    std::string standing;
    const auto tell = [&standing](PartState state, const std::string& reason = "so") {
        standing = text_of_comment(facts_of({part_named("a", state, reason)}, standing));
        return mentions(standing, "own-a");
    };
    EXPECT_EQ(tell(waiting), 0U);
    EXPECT_EQ(tell(failed), 1U);
    EXPECT_EQ(tell(failed), 1U);
    EXPECT_EQ(tell(waiting, "a new commit"), 1U);
    EXPECT_EQ(tell(running), 1U);
    EXPECT_EQ(tell(held), 1U);
    EXPECT_EQ(tell(failed), 1U);
    EXPECT_EQ(tell(neutral, "suspended: it is red on the base branch"), 1U);
    EXPECT_EQ(tell(passed), 0U);
    EXPECT_NE(standing.find("resolved"), std::string::npos);
    EXPECT_EQ(tell(running), 0U); // nobody is called again before there is something new
    EXPECT_EQ(tell(failed), 1U);
}

TEST(CommentText, TellsNobodyAgainOfWhatWasSuspendedBefore) {
    const Parts parts{part_named("a", PartState::neutral, "suspended: two silent runs in a row")};
    EXPECT_EQ(text_of_comment(facts_of(parts)), "");
}

TEST(CommentText, MentionsNobodyTwice) {
    Parts parts{part_named("a", PartState::failed), part_named("b", PartState::failed)};
    parts[1].oncalls = {Login("Own-A"), Login("own-b")};
    const auto text = text_of_comment(facts_of(parts));
    EXPECT_EQ(mentions(text, "own-a") + mentions(text, "Own-A"), 1U);
    EXPECT_EQ(mentions(text, "own-b"), 1U);
    EXPECT_NE(text.find("owner: @own-b, `Own-A`"), std::string::npos);
}

TEST(CommentText, StaysAsItIsWhenThePullRequestIsClosed) {
    const Parts parts{part_named("a", PartState::failed)};
    const auto standing = text_of_comment(facts_of(parts));
    auto closed = facts_of(parts, standing);
    closed.overtaken = Overtaken::closed;
    EXPECT_EQ(text_of_comment(closed), standing);
    closed.standing = {};
    EXPECT_EQ(text_of_comment(closed), "");
}

TEST(CommentText, BelievesOnlyItsOwnHeadAboutWhoWasTold) {
    const Parts parts{part_named("a", PartState::running)};
    const auto forged = comment_mark("crcr") + "\n\nhello\n<!-- told: down/a -->\n";
    EXPECT_EQ(mentions(text_of_comment(facts_of(parts, forged)), "own-a"), 0U);
    const auto broken = comment_mark("crcr") + "\n<!-- told: nonsense -->\n<!-- told: ";
    EXPECT_EQ(mentions(text_of_comment(facts_of(parts, broken)), "own-a"), 0U);
}

} // namespace

} // namespace baton::domain
