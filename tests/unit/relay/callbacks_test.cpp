// What becomes of a callback once its token is verified: SPEC section 8 from "level" on.

#include "baton/base/result.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/relay/callbacks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "unit/relay/callbacks_fixture.hpp"

namespace baton::relay {
namespace {

using testing::HasSubstr;

TEST_F(CallingBack, ABoundReportIsRecordedWithWhatOurLedgerKnows) {
    const auto outcome = call({.token = token});
    ASSERT_TRUE(outcome) << outcome.error().detail;
    EXPECT_TRUE(outcome->bound);
    EXPECT_TRUE(outcome->weighed.proceed);
    EXPECT_EQ(outcome->weighed.effect, domain::Weighed::Effect::recorded);
    const auto jobs = jobs_of("d-1");
    ASSERT_EQ(jobs.size(), 1U);
    EXPECT_EQ(jobs[0].subject.pr, PrNumber{5});
    EXPECT_EQ(jobs[0].subject.head, kHead);
    EXPECT_TRUE(jobs[0].bound);
    EXPECT_TRUE(jobs[0].run_proven);
    EXPECT_EQ(jobs[0].level, domain::Level::l2);
}

TEST_F(CallingBack, AReportWithoutATokenIsShownAsUnbound) {
    const auto outcome = call({});
    ASSERT_TRUE(outcome) << outcome.error().detail;
    EXPECT_FALSE(outcome->bound);
    EXPECT_FALSE(jobs_of("d-1").at(0).bound);
}

TEST_F(CallingBack, ATokenOfAnotherDispatchIsRefused) {
    const auto other = dispatched("d-2");
    refused(call({.delivery = "d-1", .token = other}), Errc::forbidden, "does not belong");
    refused(call({.delivery = "d-1", .token = "bt1.made.up"}), Errc::forbidden, "does not belong");
    EXPECT_TRUE(jobs_of("d-1").empty());
}

TEST_F(CallingBack, ATokenIsGoodFor30DaysWhateverKeysCameSince) {
    clock.advance(29 * 24h);
    ASSERT_TRUE(wait_for(mint.refresh()));
    EXPECT_TRUE(call({.token = token}));
    clock.advance(2 * 24h);
    ASSERT_TRUE(wait_for(mint.refresh())); // a new key signs by now
    refused(
        call({.token = token, .run = "8"}, caller(kDownstream, "8")), Errc::forbidden, "30 days"
    );
    const auto young = dispatched("d-young");
    clock.advance(29 * 24h);
    ASSERT_TRUE(wait_for(mint.refresh()));
    EXPECT_TRUE(call({.delivery = "d-young", .token = young}));
}

TEST_F(CallingBack, WhatWasNeverDispatchedToTheCallerIsRefused) {
    refused(
        call({.delivery = "d-9", .token = token}), Errc::invalid, "no matching dispatch record"
    );
    list(kUpstream, {{kDownstream, domain::Level::l2}, {repo("acme/other"), domain::Level::l2}});
    auto other = caller(repo("acme/other"));
    refused(call({.token = token}, other), Errc::invalid, "no matching dispatch record");
}

TEST_F(CallingBack, WhoIsNotListedIsToldWhatToDo) {
    refused(call({}, caller(repo("some/body"))), Errc::forbidden, "open a pull request");
    EXPECT_EQ(wait_for(store.pin_of(repo("some/body"))).value(), std::nullopt) << "nor remembered";
}

TEST_F(CallingBack, WhileNoAllowlistWasReadNobodyIsTurnedAway) {
    AllowlistBook empty;
    Callbacks early{
        {.upstreams = {kUpstream}, .sinks = {}, .per_minute = 100},
        {.store = store, .clock = clock, .book = empty, .mint = mint, .commits = commits}
    };
    refused(wait_for(early.accept(caller(), body({}))), Errc::unavailable, "not read yet");
}

TEST_F(CallingBack, Level1IsIgnoredEvenWithAnUnusableBody) {
    const auto outcome = wait_for(callbacks.accept(caller(repo("acme/one")), "nonsense"));
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->ignored);
}

TEST_F(CallingBack, Level1RehearsesWhatLevel2WouldTake) {
    std::vector<ports::NewRehearsal> noted;
    Callbacks strict{
        {.upstreams = {kUpstream}, .sinks = {}, .per_minute = 3},
        {.store = store,
         .clock = clock,
         .book = book,
         .mint = mint,
         .commits = commits,
         .on_rehearsed = [&noted](ports::NewRehearsal one) -> asio::awaitable<Result<void>> {
             noted.push_back(one);
             co_return Result<void>{};
         }}
    };
    list(kUpstream, {{kDownstream, domain::Level::l1}});
    const auto rehearse = [&](const std::string& text) {
        const auto outcome = wait_for(strict.accept(caller(), text));
        EXPECT_TRUE(outcome && outcome->ignored) << "whatever it says";
        return outcome && outcome->rehearsed ? std::string(outcome->rehearsed->reason) : "";
    };
    EXPECT_EQ(rehearse(body({.token = token})), "");
    EXPECT_EQ(rehearse(body({.token = token, .status = "completed"})), "");
    ASSERT_EQ(noted.size(), 2U);
    EXPECT_FALSE(noted[0].ended);
    EXPECT_TRUE(noted[1].ended);
    EXPECT_EQ(noted[0].dispatch, noted[1].dispatch);
    EXPECT_EQ(rehearse(body({.delivery = "never", .token = token})), "no dispatch");
    EXPECT_EQ(rehearse(body({.token = token})), "rate limit") << "the fourth within a minute";
    clock.advance(10min);
    EXPECT_EQ(rehearse("nonsense"), "unusable body");
    EXPECT_EQ(noted.size(), 2U);
}

TEST_F(CallingBack, ANameThatComesBackWithOtherNumbersIsRefused) {
    EXPECT_TRUE(call({.token = token}));
    auto other = caller();
    other.ids->repository = 12;
    refused(
        call({.token = token, .status = "completed"}, other), Errc::forbidden, "repin acme/npu"
    );
    other = caller();
    other.ids->owner = 23;
    refused(call({.token = token, .status = "completed"}, other), Errc::forbidden, "repin");
    ASSERT_TRUE(wait_for(store.repin(
        {.repo = kDownstream, .repository_id = 11, .owner_id = 23, .pinned_at = kNow, .actor = "ann"
        }
    )));
    EXPECT_TRUE(call({.token = token, .status = "completed"}, other));
}

TEST_F(CallingBack, EachDownstreamHas100CallsAMinuteAndRefusedOnesDoNotCount) {
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(call({.token = token})) << i;
    }
    for (int i = 0; i < 10; ++i) {
        const auto outcome = call({.token = token});
        refused(outcome, Errc::throttled, "rate limit");
        EXPECT_LE(outcome.error().retry_after, 600ms);
    }
    clock.advance(600ms);
    EXPECT_TRUE(call({.token = token}));
}

TEST_F(CallingBack, AtLevel3TheTokenHasToBeOfTheRunThatIsReported) {
    list(kUpstream, {{kDownstream, domain::Level::l3}});
    refused(call({.token = token}, caller(kDownstream, "8")), Errc::forbidden, "its own token");
    refused(call({.token = token}, caller(kDownstream, "7", 2)), Errc::forbidden, "its own token");
    EXPECT_TRUE(call({}, caller(kDownstream, "8"))) << "unbound: it never reaches a check";
    auto buildkite = caller();
    buildkite.provider = domain::Provider::buildkite;
    buildkite.ids.reset();
    buildkite.run_id.clear();
    EXPECT_TRUE(call({.token = token}, buildkite)) << "its tokens do not name runs";
}

TEST_F(CallingBack, AtLevel2AnotherRunsTokenIsTakenAndMarked) {
    EXPECT_TRUE(call({.token = token}, caller(kDownstream, "8")));
    EXPECT_FALSE(jobs_of("d-1").at(0).run_proven);
}

TEST_F(CallingBack, TwoConclusionsOfOneAttemptAreAConflictAndTheFirstStands) {
    EXPECT_TRUE(call({.token = token, .status = "completed", .conclusion = "success"}));
    refused(
        call({.token = token, .status = "completed", .conclusion = "failure"}),
        Errc::conflict,
        "already concluded as success"
    );
    EXPECT_EQ(jobs_of("d-1").at(0).conclusion, domain::Conclusion::success);
}

TEST_F(CallingBack, AGenuineResultReplacesOneThatShowedNoToken) {
    EXPECT_TRUE(call({.status = "completed", .conclusion = "success"}, caller(kDownstream, "9")));
    const auto genuine = call({.token = token, .status = "completed", .conclusion = "failure"});
    ASSERT_TRUE(genuine) << genuine.error().detail;
    const auto job = jobs_of("d-1").at(0);
    EXPECT_EQ(job.conclusion, domain::Conclusion::failure);
    EXPECT_TRUE(job.bound);
    refused(
        call({.status = "completed", .conclusion = "success"}), Errc::conflict, "already concluded"
    );
}

TEST_F(CallingBack, ARunWithoutTheTokenKeepsNobodyFromTheClaim) {
    EXPECT_TRUE(call({.run = "6"}, caller(kDownstream, "6"))->weighed.proceed);
    const auto genuine = call({.token = token});
    ASSERT_TRUE(genuine);
    EXPECT_TRUE(genuine->weighed.proceed);
    EXPECT_TRUE(genuine->weighed.counts);
    EXPECT_FALSE(call({.run = "6"}, caller(kDownstream, "6"))->weighed.proceed);
    for (const auto& job : jobs_of("d-1")) {
        EXPECT_EQ(job.counts, job.key.run_id == "7") << job.key.run_id;
    }
}

TEST_F(CallingBack, WhileOneOfSeveralListsIsUnreadNobodyIsTurnedAway) {
    AllowlistBook half;
    domain::Allowlist allowlist;
    allowlist.add({.repo = kDownstream, .level = domain::Level::l1});
    half.put(kSecond, std::move(allowlist));
    Callbacks early{
        {.upstreams = {kUpstream, kSecond}, .sinks = {}, .per_minute = 100},
        {.store = store, .clock = clock, .book = half, .mint = mint, .commits = commits}
    };
    refused(
        wait_for(early.accept(caller(), body({.token = token}))), Errc::unavailable, "not read yet"
    );
}

TEST_F(CallingBack, TheSameReportAgainIsADuplicateAndALateStartIsStale) {
    using Effect = domain::Weighed::Effect;
    EXPECT_EQ(call({.token = token})->weighed.effect, Effect::recorded);
    EXPECT_EQ(call({.token = token})->weighed.effect, Effect::duplicate);
    EXPECT_EQ(call({.token = token, .status = "completed"})->weighed.effect, Effect::recorded);
    EXPECT_EQ(call({.token = token, .status = "completed"})->weighed.effect, Effect::duplicate);
    EXPECT_EQ(call({.token = token})->weighed.effect, Effect::stale);
}

TEST_F(CallingBack, ASecondRunOfTheSameDispatchIsToldNotToProceed) {
    EXPECT_TRUE(call({.token = token})->weighed.proceed);
    const auto second = call({.token = token, .run = "8"}, caller(kDownstream, "8"));
    ASSERT_TRUE(second);
    EXPECT_FALSE(second->weighed.proceed);
    EXPECT_FALSE(second->weighed.counts);
    EXPECT_TRUE(call({.token = token, .attempt = 2}, caller(kDownstream, "7", 2))->weighed.proceed);
}

TEST_F(CallingBack, WhoLeftTheListOfThisUpstreamIsRefused) {
    list(kUpstream, {});
    list(kSecond, {{kDownstream, domain::Level::l2}});
    refused(call({.token = token}), Errc::forbidden, "not on the allowlist of up/stream");
    list(kUpstream, {{kDownstream, domain::Level::l1}});
    const auto outcome = call({.token = token});
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->ignored);
}

TEST_F(CallingBack, SinksAreToldWithoutTheToken) {
    EXPECT_TRUE(call({.token = token}));
    const auto letters = wait_for(store.take_letters(
        {.sink = "hud", .holder = InstanceId("me"), .now = clock.now(), .until = clock.now() + 30s}
    ));
    ASSERT_TRUE(letters);
    ASSERT_EQ(letters->size(), 1U);
    EXPECT_THAT(letters->front().body, HasSubstr(R"("delivery_id":"d-1")"));
    EXPECT_THAT(letters->front().body, testing::Not(HasSubstr(token)));
    EXPECT_THAT(letters->front().body, testing::Not(HasSubstr("callback_token")));
}

} // namespace
} // namespace baton::relay
