#pragma once

#include "contract/checks_fixture.hpp"

namespace baton::test {

class StorePostings : public ChecksContract {};

TEST_P(StorePostings, AWishIsKeptAndHandedOutUntilGitHubHasIt) {
    const auto wanted = a_check("crcr/a/one/ci/test");
    const auto receipt = want({wanted}, at(5));
    EXPECT_EQ(receipt.changed, 1U);
    EXPECT_FALSE(kept("crcr/a/one/ci/test").in_step);
    EXPECT_TRUE(take(at(4)).empty());
    const auto taken = take(at(6));
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(static_cast<const ports::Posting&>(taken[0].posting), wanted);
    EXPECT_FALSE(taken[0].posting.github_id.has_value());
    EXPECT_FALSE(taken[0].perhaps_there);
    EXPECT_EQ(taken[0].version, 1);
    EXPECT_EQ(taken[0].attempts, 1);
    EXPECT_EQ(taken[0].wanted_since, at(5));
    EXPECT_TRUE(take(at(7)).empty()) << "it is leased";
    done(taken[0], at(8), 4711);
    const auto posting = kept("crcr/a/one/ci/test");
    EXPECT_TRUE(posting.in_step);
    EXPECT_EQ(posting.github_id, 4711);
    EXPECT_EQ(posting.calls, 1U);
    EXPECT_EQ(posting.trouble, "");
    EXPECT_TRUE(take(at(900)).empty());
}

TEST_P(StorePostings, EveryFieldOfACheckAndOfACommentIsKept) {
    auto waiting = a_check("crcr/waiting");
    waiting.check.details_url = "";
    want({an_ended_check("crcr/ended"), waiting, a_comment("all **well**")}, at(5));
    EXPECT_EQ(static_cast<ports::Posting>(kept("crcr/ended")), an_ended_check("crcr/ended"));
    EXPECT_EQ(static_cast<ports::Posting>(kept("crcr/waiting")), waiting);
    EXPECT_EQ(must(store().postings_of(a_subject())).size(), 2U) << "a comment has no head";
    const auto comments = must(store().postings_of(a_subject("")));
    ASSERT_EQ(comments.size(), 1U);
    EXPECT_EQ(static_cast<ports::Posting>(comments[0]), a_comment("all **well**"));
    EXPECT_TRUE(must(store().postings_of(in_merge_queue("aaaa"))).empty());
    EXPECT_TRUE(must(store().postings_of(a_subject("bbbb"))).empty());
}

TEST_P(StorePostings, WhatIsAsItWasCostsNothing) {
    want({a_check("crcr/x")}, at(5));
    done(take(at(6)).at(0), at(7));
    EXPECT_EQ(want({a_check("crcr/x")}, at(8)).changed, 0U);
    EXPECT_TRUE(take(at(9)).empty());
    EXPECT_EQ(want({}, at(10)).changed, 0U);
    EXPECT_TRUE(kept("crcr/x").in_step) << "none is ever removed";
}

TEST_P(StorePostings, ACheckIsCreatedOnceAndUpdatedAfterwards) {
    want({a_check("crcr/x", "queued")}, at(5));
    done(take(at(6)).at(0), at(7), 4711);
    EXPECT_EQ(want({an_ended_check("crcr/x")}, at(20)).changed, 1U);
    EXPECT_FALSE(kept("crcr/x").in_step);
    const auto taken = take(at(20)).at(0);
    EXPECT_EQ(taken.posting.github_id, 4711);
    EXPECT_FALSE(taken.perhaps_there);
    EXPECT_EQ(taken.version, 2);
    EXPECT_EQ(taken.attempts, 1) << "it was in step before";
    EXPECT_EQ(taken.wanted_since, at(20));
    auto end = end_of(taken, at(21));
    end.done = true; // its id is known
    must(store().end_posting(std::move(end)));
    EXPECT_EQ(kept("crcr/x").github_id, 4711);
    EXPECT_EQ(kept("crcr/x").calls, 2U);
}

TEST_P(StorePostings, TwoWishesBeforeOnePostAreOnePost) {
    want({a_check("crcr/x", "queued")}, at(5));
    want({a_check("crcr/x", "running")}, at(6));
    const auto taken = take(at(7));
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken[0].posting.check.title, "running");
    EXPECT_EQ(taken[0].version, 2);
    EXPECT_EQ(taken[0].wanted_since, at(5));
    done(taken[0], at(8));
    EXPECT_TRUE(take(at(9)).empty());
}

TEST_P(StorePostings, WhatIsWantedMeanwhileIsDueAtOnceAfterwards) {
    want({a_check("crcr/x", "queued")}, at(5));
    const auto taken = take(at(6)).at(0);
    want({a_check("crcr/x", "running")}, at(7));
    want({a_check("crcr/x", "more")}, at(7));
    EXPECT_TRUE(take(at(8)).empty()) << "the older one is under way";
    done(taken, at(9), 4711);
    EXPECT_FALSE(kept("crcr/x").in_step);
    EXPECT_EQ(kept("crcr/x").github_id, 4711);
    const auto next = take(at(9)).at(0);
    EXPECT_EQ(next.posting.check.title, "more");
    EXPECT_EQ(next.attempts, 1);
    EXPECT_EQ(next.wanted_since, at(9));
    done(next, at(10), 4711);
    EXPECT_TRUE(kept("crcr/x").in_step);
}

TEST_P(StorePostings, ATryAgainIsDueThenEvenWhenTheWishChanges) {
    want({a_check("crcr/x", "queued")}, at(5));
    again(take(at(6)).at(0), at(7), at(60));
    EXPECT_EQ(kept("crcr/x").trouble, "no answer");
    EXPECT_EQ(want({a_check("crcr/x", "running")}, at(8)).changed, 1U);
    EXPECT_TRUE(take(at(59)).empty()) << "GitHub is left alone until then";
    const auto taken = take(at(60)).at(0);
    EXPECT_EQ(taken.posting.check.title, "running");
    EXPECT_EQ(taken.attempts, 2);
    EXPECT_EQ(taken.wanted_since, at(5));
    want({a_check("crcr/x", "more")}, at(61));
    again(taken, at(62), at(200));
    EXPECT_TRUE(take(at(199)).empty());
    done(take(at(200)).at(0), at(201));
    EXPECT_EQ(kept("crcr/x").trouble, "");
    EXPECT_EQ(kept("crcr/x").calls, 3U);
}

TEST_P(StorePostings, GivenUpUntilTheWishChanges) {
    want({a_check("crcr/x", "queued")}, at(5));
    must(store().end_posting(end_of(take(at(6)).at(0), at(7))));
    EXPECT_FALSE(kept("crcr/x").in_step);
    EXPECT_EQ(kept("crcr/x").trouble, "no answer");
    EXPECT_EQ(counts().given_up, 1U);
    EXPECT_EQ(counts().waiting, 0U);
    EXPECT_EQ(want({a_check("crcr/x", "queued")}, at(8)).changed, 0U);
    EXPECT_TRUE(take(at(900)).empty());
    EXPECT_EQ(want({a_check("crcr/x", "running")}, at(901)).changed, 1U);
    EXPECT_EQ(kept("crcr/x").trouble, "");
    const auto taken = take(at(901)).at(0);
    EXPECT_EQ(taken.attempts, 1);
    EXPECT_EQ(taken.wanted_since, at(901));
    EXPECT_EQ(counts().given_up, 0U);
}

TEST_P(StorePostings, GivingUpAnOldWishDoesNotGiveUpTheNewOne) {
    want({a_check("crcr/x", "queued")}, at(5));
    const auto taken = take(at(6)).at(0);
    want({a_check("crcr/x", "running")}, at(7));
    must(store().end_posting(end_of(taken, at(8))));
    EXPECT_EQ(counts().given_up, 0U);
    EXPECT_EQ(take(at(8)).at(0).posting.check.title, "running");
}

// --- perhaps there

TEST_P(StorePostings, ACreationWhoseEndWasNeverWrittenIsLookedForFirst) {
    want({a_check("crcr/x")}, at(5));
    EXPECT_FALSE(take(at(6)).at(0).perhaps_there);
    must(store().adopt(InstanceId("relay-2"), at(7)));
    const auto taken = take(at(7)).at(0);
    EXPECT_TRUE(taken.perhaps_there);
    EXPECT_EQ(taken.attempts, 2);
    EXPECT_TRUE(take(at(37)).at(0).perhaps_there) << "nor when only its lease ran out";
}

TEST_P(StorePostings, AnUpdateIsNeverLookedForFirst) {
    want({a_check("crcr/x", "queued")}, at(5));
    done(take(at(6)).at(0), at(7));
    want({a_check("crcr/x", "running")}, at(8));
    take(at(9));
    must(store().adopt(InstanceId("relay-2"), at(10)));
    EXPECT_FALSE(take(at(10)).at(0).perhaps_there);
}

TEST_P(StorePostings, OnlyAnUncertainEndLeavesADoubt) {
    want({a_check("crcr/x")}, at(5));
    auto end = end_of(take(at(6)).at(0), at(7));
    end.again_at = at(8);
    end.certain = false;
    must(store().end_posting(end));
    const auto doubtful = take(at(8)).at(0);
    EXPECT_TRUE(doubtful.perhaps_there);
    again(doubtful, at(9), at(10)); // it was looked for, and is not there
    EXPECT_FALSE(take(at(10)).at(0).perhaps_there);
}

TEST_P(StorePostings, WhatWasFoundKeepsItsIdThroughATryAgain) {
    want({a_check("crcr/x")}, at(5));
    auto end = end_of(take(at(6)).at(0), at(7));
    end.again_at = at(8);
    end.github_id = 4711;
    must(store().end_posting(end));
    const auto taken = take(at(8)).at(0);
    EXPECT_EQ(taken.posting.github_id, 4711);
    EXPECT_FALSE(taken.perhaps_there);
}

TEST_P(StorePostings, AnIdThatGitHubForgotIsForgottenHereToo) {
    want({a_check("crcr/x", "queued")}, at(5));
    done(take(at(6)).at(0), at(7), 4711);
    want({a_check("crcr/x", "running")}, at(8));
    auto end = end_of(take(at(8)).at(0), at(9));
    end.forget_id = true;
    end.again_at = at(10);
    must(store().end_posting(end));
    const auto taken = take(at(10)).at(0);
    EXPECT_FALSE(taken.posting.github_id.has_value());
    EXPECT_FALSE(taken.perhaps_there);
    done(taken, at(11), 4712);
    EXPECT_EQ(kept("crcr/x").github_id, 4712);
}

TEST_P(StorePostings, NothingIsDoneWithoutAnId) {
    want({a_check("crcr/x")}, at(5));
    const auto taken = take(at(6)).at(0);
    auto end = end_of(taken, at(7));
    end.done = true;
    EXPECT_EQ(refused(store().end_posting(end)), Errc::invalid);
    done(taken, at(8));
}

// --- order, leases, figures

TEST_P(StorePostings, GatesGoFirstThenWhatIsDueLongest) {
    want({a_check("crcr/late")}, at(9));
    want({a_check("crcr/early")}, at(5));
    want({a_check("crcr/gate")}, at(20));
    auto comment = a_comment("x");
    comment.check.name = "not/gate";
    want({comment}, at(21));
    EXPECT_EQ(names(take(at(30), 1)), Texts{"crcr/gate"});
    EXPECT_EQ(names(take(at(30), 9)), (Texts{"crcr/early", "crcr/late", "not/gate"}));
}

TEST_P(StorePostings, TakesNoMoreThanItIsAskedFor) {
    want({a_check("x/gate"), a_check("y/gate"), a_check("z")}, at(5));
    EXPECT_EQ(names(take(at(6), 1)), Texts{"x/gate"});
    EXPECT_EQ(names(take(at(6), 2)), (Texts{"y/gate", "z"}));
    EXPECT_TRUE(take(at(6), 9).empty());
}

TEST_P(StorePostings, OnlyTheHolderOfALeaseEndsIt) {
    want({a_check("crcr/x")}, at(5));
    const auto first = take(at(6)).at(0);
    const auto second = take(at(36)).at(0); // the lease ran out
    EXPECT_EQ(second.attempts, 2);
    EXPECT_EQ(refused(store().end_posting(end_of(first, at(37)))), Errc::conflict);
    done(second, at(38));
    EXPECT_EQ(refused(store().end_posting(end_of(second, at(39)))), Errc::conflict);
    EXPECT_TRUE(kept("crcr/x").in_step);
    ports::PostingEnd nobodys;
    nobodys.id = 99;
    EXPECT_EQ(refused(store().end_posting(nobodys)), Errc::conflict);
}

TEST_P(StorePostings, WhatADeadRelayHeldIsHandedOutAtOnce) {
    want({a_check("crcr/x")}, at(5));
    const auto held = take(at(6)).at(0);
    must(store().adopt(InstanceId("relay-2"), at(7)));
    EXPECT_EQ(refused(store().end_posting(end_of(held, at(7)))), Errc::conflict);
    EXPECT_EQ(take(at(7)).size(), 1U);
}

TEST_P(StorePostings, FiguresFollowTheirLives) {
    EXPECT_FALSE(counts().oldest.has_value());
    want({a_check("a")}, at(5));
    want({a_check("b")}, at(9));
    EXPECT_EQ(counts().waiting, 2U);
    EXPECT_EQ(counts().oldest, at(5));
    const auto taken = take(at(10));
    EXPECT_EQ(counts().waiting, 2U) << "under way is not there yet";
    done(taken.at(0), at(11));
    EXPECT_EQ(counts().waiting, 1U);
    EXPECT_EQ(counts().oldest, at(9));
    must(store().end_posting(end_of(taken.at(1), at(12))));
    EXPECT_EQ(counts().waiting, 0U);
    EXPECT_EQ(counts().given_up, 1U);
    EXPECT_FALSE(counts().oldest.has_value());
}

// --- the mode

TEST_P(StorePostings, AShadowIsRefusedWhileALiveRelaysChecksWait) {
    want({a_check("crcr/x")}, at(5));
    EXPECT_EQ(refused(store().enter_mode(ports::Mode::shadow, at(6))), Errc::conflict);
    done(take(at(7)).at(0), at(8));
    must(store().enter_mode(ports::Mode::shadow, at(9)));
}

TEST_P(StorePostings, WhatAShadowLeftIsNeverPosted) {
    must(store().enter_mode(ports::Mode::shadow, at(1)));
    plan_look("d1", a_subject("bbbb"), at(4));
    want({a_check("crcr/x", "queued")}, at(5));
    must(store().commit_postings({.look = {.subject = a_subject()}, .reruns = {a_rerun("k")}}));
    must(store().enter_mode(ports::Mode::live, at(6)));
    EXPECT_TRUE(take(at(7)).empty());
    EXPECT_TRUE(take_reruns(at(7)).empty());
    EXPECT_TRUE(looks_at(at(7)).empty());
    EXPECT_EQ(kept("crcr/x").trouble, "shadow: not sent");
    EXPECT_EQ(must(store().reruns_of(a_subject())).at(0).state, domain::RerunState::refused);
    want({a_check("crcr/x", "running")}, at(8));
    EXPECT_EQ(take(at(8)).size(), 1U) << "what is wanted from now on is";
}

} // namespace baton::test
