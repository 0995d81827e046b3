// What did not come in time becomes a result, once; what could not be asked is asked again.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/sweeper.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/virtual_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

#include "support/memory_journal.hpp"
#include "unit/relay/callbacks_fixture.hpp"

namespace baton::relay {
namespace {

class Sweeping : public CallingBack {
protected:
    void round() {
        auto work = [](Sweeper& of) -> asio::awaitable<bool> {
            co_await of.round();
            co_return true;
        };
        EXPECT_TRUE(wait_for(work(sweeper)));
    }

    /// GitHub has taken the dispatch.
    void sent(const std::string& delivery) {
        ports::LeaseQuery query{
            .holder = InstanceId("me"),
            .shares = {{.downstream = kDownstream, .count = 1}},
            .now = clock.now(),
            .until = clock.now() + 30s,
        };
        const auto leased = wait_for(store.lease(std::move(query))).value();
        ASSERT_EQ(leased.size(), 1U);
        EXPECT_EQ(leased[0].dispatch.key.delivery.text(), delivery);
        ports::Settlement settlement{
            .lease = leased[0].lease,
            .answer = {.outcome = domain::Outcome::accepted, .status = 204},
            .verdict = {.state = domain::DispatchState::sent},
            .now = clock.now(),
        };
        ASSERT_TRUE(wait_for(store.settle(std::move(settlement))));
    }

    template <class Entry> std::size_t noted() const { return journal.all<Entry>().size(); }

    test::MemoryJournal journal;
    int woken{0};
    bool leads{true};
    Sweeper sweeper{
        {.upstreams = {kUpstream, kSecond}, .start_timeout = 2h, .run_timeout = 6h, .sinks = {"hud"}
        },
        {.store = store,
         .github = github,
         .clock = clock,
         .journal = journal,
         .book = book,
         .on_recorded = [this] { ++woken; },
         .leads = [this] { return leads; }}
    };
};

TEST_F(Sweeping, ADispatchThatNobodyStartsIsSilentOnce) {
    sent("d-1");
    clock.advance(2h - 1s);
    round();
    EXPECT_EQ(noted<ports::SilenceNoted>(), 0U);
    clock.advance(2s);
    round();
    round();
    ASSERT_EQ(noted<ports::SilenceNoted>(), 1U) << "and it is told once";
    EXPECT_EQ(journal.all<ports::SilenceNoted>()[0].downstream, kDownstream);
    EXPECT_EQ(dispatch_of("d-1").state, domain::DispatchState::finished);
}

TEST_F(Sweeping, SilenceIsKnownWithinAMinuteOfItsLimit) {
    sent("d-1");
    const auto limit = clock.now() + 2h;
    tasks.spawn(sweeper.run());
    sim::run_until_quiet(io, clock, {.until = limit + 1h, .done = [this] {
                                         return noted<ports::SilenceNoted>() > 0;
                                     }});
    ASSERT_EQ(noted<ports::SilenceNoted>(), 1U);
    EXPECT_GE(clock.now(), limit);
    EXPECT_LE(clock.now(), limit + 1min);
    tasks.cancel();
    sim::run_until_quiet(io, clock, {.until = clock.now() + 1h});
}

TEST_F(Sweeping, IsTheLeadsAlone) {
    sent("d-1");
    leads = false;
    tasks.spawn(sweeper.run());
    sim::run_until_quiet(io, clock, {.until = clock.now() + 4h});
    EXPECT_EQ(noted<ports::SilenceNoted>(), 0U);
    leads = true;
    sim::run_until_quiet(io, clock, {.until = clock.now() + 5min});
    EXPECT_EQ(noted<ports::SilenceNoted>(), 1U);
    tasks.cancel();
    sim::run_until_quiet(io, clock, {.until = clock.now() + 1h});
}

TEST_F(Sweeping, AJobThatNobodyEndsTimesOutOnceAndSinksAreTold) {
    ASSERT_TRUE(call({.token = token}));
    const auto letters = wait_for(store.result_counts()).value().outbox_waiting;
    clock.advance(6h + 1s);
    round();
    round();
    EXPECT_EQ(noted<ports::JobTimedOut>(), 1U);
    EXPECT_EQ(woken, 1);
    const auto job = jobs_of("d-1").at(0);
    EXPECT_EQ(job.conclusion, domain::Conclusion::timed_out);
    EXPECT_EQ(job.said_by, domain::SaidBy::relay);
    EXPECT_EQ(wait_for(store.result_counts()).value().outbox_waiting, letters + 1);
}

TEST_F(Sweeping, AGenuineResultReplacesATimeOutAndIsNotSweptAgain) {
    ASSERT_TRUE(call({.token = token}));
    clock.advance(7h);
    round();
    ASSERT_TRUE(call({.token = token, .status = "completed"}));
    const auto job = jobs_of("d-1").at(0);
    EXPECT_EQ(job.conclusion, domain::Conclusion::success);
    EXPECT_TRUE(job.replaced);
    clock.advance(24h);
    round();
    EXPECT_EQ(noted<ports::JobTimedOut>(), 1U);
}

TEST_F(Sweeping, EachDownstreamHasItsOwnPatience) {
    domain::Allowlist patient;
    patient.add({.repo = kDownstream, .level = domain::Level::l2, .run_timeout = Millis{24h}});
    book.put(kUpstream, std::move(patient));
    ASSERT_TRUE(call({.token = token}));
    clock.advance(23h);
    round();
    EXPECT_EQ(noted<ports::JobTimedOut>(), 0U);
    clock.advance(2h);
    round();
    EXPECT_EQ(noted<ports::JobTimedOut>(), 1U);
}

TEST_F(Sweeping, ACommitThatGithubCouldNotVouchForIsAskedForAgain) {
    const auto head = wait_for(github.head_of(kUpstream, "HEAD")).value();
    faults.add({.route = "commit", .fault = sim::Fault::server_error(502)});
    const auto known = head.text();
    const auto made_up = std::string(40, 'b');
    for (const auto& sha : {known, made_up}) {
        const Said nightly{
            .delivery = sha, .status = "completed", .event_type = "nightly", .upstream = "up/stream"
        };
        const auto taken = call(nightly);
        ASSERT_TRUE(taken) << taken.error().detail;
    }
    EXPECT_EQ(wait_for(store.unverified_jobs(10)).value().size(), 2U);
    round();
    EXPECT_EQ(wait_for(store.unverified_jobs(10)).value().size(), 2U) << "GitHub is still away";
    faults.clear();
    round();
    EXPECT_TRUE(wait_for(store.unverified_jobs(10)).value().empty());
}

TEST_F(Sweeping, CommitsThatCanNeverBeAskedForDoNotStandBeforeTheOthers) {
    const auto self_report = [this](const RepoName& upstream, const HeadSha& head, int run) {
        ports::ReportCommit commit{
            .subject = {.downstream = kDownstream, .upstream = upstream, .event_type = "nightly"},
            .commit = domain::CommitCheck::unverified,
            .now = clock.now(),
        };
        commit.subject.head = head;
        commit.report.key = {.workflow = "ci", .run_id = std::to_string(run), .attempt = 1};
        commit.report.status = domain::JobStatus::completed;
        commit.report.conclusion = domain::Conclusion::success;
        EXPECT_TRUE(wait_for(store.record_report(std::move(commit))));
    };
    for (int run = 1; run <= 45; ++run) { // GitHub has no such repository
        self_report(repo("gone/away"), HeadSha(std::string(40, 'a')), run);
    }
    self_report(kUpstream, wait_for(github.head_of(kUpstream, "HEAD")).value(), 46);
    for (int rounds = 0; rounds < 3; ++rounds) {
        round();
    }
    const auto left = wait_for(store.unverified_jobs(100)).value();
    EXPECT_EQ(left.size(), 45U);
    EXPECT_EQ(left.back().subject.upstream, repo("gone/away"));
    const auto asked = github.requests().at("commit");
    round();
    EXPECT_GT(github.requests().at("commit"), asked) << "and they have their turn again";
}

TEST_F(Sweeping, AJobOfAGivenUpDispatchEndsWithoutAWarning) {
    ASSERT_TRUE(call({.token = token}));
    domain::PullRequest moved{.upstream = kUpstream, .number = PrNumber{5}};
    moved.head = HeadSha(std::string(40, 'e'));
    ASSERT_TRUE(wait_for(store.insert_delivery({.id = DeliveryId("d-2"), .body = "{}"})));
    ports::PlanCommit commit{
        .delivery = DeliveryId("d-2"), .upstream = kUpstream, .now = clock.now()
    };
    commit.plan.pull_request = moved;
    ASSERT_TRUE(wait_for(store.commit_plan(std::move(commit))));
    clock.advance(7h);
    round();
    EXPECT_EQ(jobs_of("d-1").at(0).conclusion, domain::Conclusion::cancelled);
    EXPECT_EQ(noted<ports::JobTimedOut>(), 0U);
    EXPECT_EQ(woken, 1) << "sinks are told";
}

TEST_F(Sweeping, ListedRepositoriesArePinnedByTheirNumbers) {
    ASSERT_TRUE(model.create_repo({.name = kDownstream, .now = kNow}));
    faults.add({.route = "repo", .fault = sim::Fault::server_error(502), .times = 1});
    round();
    EXPECT_EQ(wait_for(store.pin_of(kDownstream)).value(), std::nullopt) << "GitHub is away";
    round();
    const auto pin = wait_for(store.pin_of(kDownstream)).value();
    ASSERT_TRUE(pin);
    EXPECT_EQ(sim::RepoId{pin->repository_id}, model.repo(kDownstream)->id);
    EXPECT_EQ(pin->actor, "relay");
    const auto asked = github.requests().at("repo");
    round();
    EXPECT_EQ(github.requests().at("repo"), asked) << "acme/one does not exist: not asked so soon";
    ASSERT_TRUE(model.create_repo({.name = repo("acme/one"), .now = kNow}));
    clock.advance(1h);
    round();
    EXPECT_TRUE(wait_for(store.pin_of(repo("acme/one"))).value());
}

} // namespace
} // namespace baton::relay
