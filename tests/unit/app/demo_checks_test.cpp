#include "baton/app/demo_account.hpp"
#include "baton/app/demo_cast.hpp"
#include "baton/app/demo_checks.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/checks.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/github_types.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace baton::app::demo {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const TimePoint kStop{1'000s};
const HeadSha kHead("1111111111111111111111111111111111111111");

sim::CheckRun shown() {
    return {
        .head = kHead,
        .name = "crcr/gate",
        .status = "completed",
        .conclusion = "success",
        .title = "All is well",
        .started_at = kStop - 20s,
        .completed_at = kStop - 10s,
        .changes = 2,
    };
}

sim::CheckRun open_since(TimePoint when) {
    auto run = shown();
    run.status = "in_progress";
    run.conclusion = {};
    run.completed_at.reset();
    run.started_at = when;
    return run;
}

/// What the store holds when it wants exactly that.
ports::KeptPosting wanted_like(const sim::CheckRun& run) {
    ports::KeptPosting posting;
    posting.subject = {.upstream = repo_named(kUpstream), .pr = PrNumber{7}, .head = run.head};
    posting.check.name = run.name;
    posting.check.title = run.title;
    posting.check.status = *domain::check_status_named(run.status);
    posting.check.conclusion = domain::conclusion_named(run.conclusion);
    posting.in_step = true;
    posting.calls = 3;
    return posting;
}

CheckEvidence evidence_of(const sim::CheckRun& run) {
    sim::Pull pull;
    pull.head = kHead;
    CheckEvidence evidence;
    evidence.runs = {run};
    evidence.pulls = {{PrNumber{7}, pull}};
    evidence.postings = {wanted_like(run)};
    evidence.stopped_at = kStop;
    evidence.longest_job = 6s;
    evidence.longest_gate = 15s;
    return evidence;
}

TEST(DemoChecks, AreFineWhenGithubShowsWhatTheStoreWants) {
    const auto account = audit_checks(evidence_of(shown()));
    EXPECT_THAT(account.wrong, IsEmpty());
    EXPECT_EQ(account.changes, 2U);
    EXPECT_EQ(account.calls, 3U);
    EXPECT_THAT(audit_checks(evidence_of(open_since(kStop - 5s))).wrong, IsEmpty());
}

TEST(DemoChecks, OneThatGithubShowsDifferentlyIsToldOf) {
    auto evidence = evidence_of(shown());
    evidence.runs.front().conclusion = "failure";
    EXPECT_THAT(
        audit_checks(evidence).wrong,
        ElementsAre(HasSubstr("completed failure on GitHub and completed success is wanted"))
    );
}

TEST(DemoChecks, OneThatIsMissingOrThereTwiceOrUnknownIsToldOf) {
    auto missing = evidence_of(shown());
    missing.runs.clear();
    EXPECT_THAT(audit_checks(missing).wrong, ElementsAre(HasSubstr("GitHub has none")));

    auto twice = evidence_of(shown());
    twice.runs.push_back(shown());
    EXPECT_THAT(audit_checks(twice).wrong, ElementsAre(HasSubstr("is there 2 times")));

    auto unknown = evidence_of(shown());
    unknown.postings.clear();
    EXPECT_THAT(audit_checks(unknown).wrong, ElementsAre(HasSubstr("not in the store")));
}

TEST(DemoChecks, OneThatShouldHaveEndedIsToldOf) {
    EXPECT_THAT(
        audit_checks(evidence_of(open_since(kStop - 18s))).wrong,
        ElementsAre(HasSubstr("should have ended: it is open for 18.0 s"))
    );
    auto closed = evidence_of(open_since(kStop - 5s));
    closed.pulls.begin()->second.open = false;
    EXPECT_THAT(audit_checks(closed).wrong, ElementsAre(HasSubstr("its commit is history")));
    closed.postings.front().in_step = false; // the relay knows, and was about to say so
    EXPECT_THAT(audit_checks(closed).wrong, IsEmpty());
}

TEST(DemoChecks, WhatIsOutOfStepMayBeSoForAMomentOnly) {
    auto evidence = evidence_of(shown());
    evidence.postings.front().in_step = false;
    evidence.counts = {.waiting = 1, .oldest = kStop - 1s};
    EXPECT_THAT(audit_checks(evidence).wrong, IsEmpty());
    EXPECT_EQ(audit_checks(evidence).on_the_way, 1U);
    evidence.counts.oldest = kStop - 3s;
    EXPECT_THAT(audit_checks(evidence).wrong, ElementsAre(HasSubstr("the oldest for 3.0 s")));
    evidence.counts = {.given_up = 2};
    EXPECT_THAT(audit_checks(evidence).wrong, ElementsAre(HasSubstr("2 checks or comments were")));
}

TEST(DemoChecks, TheAccountTellsWhoWasSuspendedAndWhetherTheyCameBack) {
    auto evidence = evidence_of(shown());
    const auto dead = repo_named(kMortal);
    evidence.turns = {
        {.downstream = dead, .suspended = true, .at = 10s, .reason = "silent"},
        {.downstream = dead, .suspended = false, .at = 21s, .reason = "clean"},
        {.downstream = dead, .suspended = true, .at = 40s, .reason = "silent again"},
    };
    evidence.scenes = {"late label: it came"};
    Account account;
    account.checks = audit_checks(evidence);
    const auto text = to_text(account, {});
    EXPECT_THAT(text, HasSubstr("suspended at 0:10, silent; back at 0:21, clean\n"));
    EXPECT_THAT(text, HasSubstr("suspended at 0:40, silent again; still is\n"));
    EXPECT_THAT(text, HasSubstr("late label: it came\n"));
}

} // namespace
} // namespace baton::app::demo
