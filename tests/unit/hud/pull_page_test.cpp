#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/run.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/pull_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::hud {
namespace {

using domain::CellOutcome;
using domain::Conclusion;
using domain::DispatchState;
using domain::Level;
using testing::ElementsAre;
using testing::HasSubstr;

const auto kBegin = *parse_rfc3339("2026-11-15T13:30:00Z");

TimePoint at(int seconds) {
    return kBegin + std::chrono::seconds(seconds);
}

DownstreamLine line(const std::string& name, Level level, GateState gate = GateState::not_counted) {
    DownstreamLine made;
    made.listed.repo = *RepoName::parse("down/" + name);
    made.listed.level = level;
    made.gate = gate;
    return made;
}

domain::Run run(const std::string& name, DispatchState state) {
    static std::int64_t dispatches = 0;
    domain::Run made;
    made.dispatch.id = DispatchId{++dispatches};
    made.dispatch.key.downstream = *RepoName::parse("down/" + name);
    made.dispatch.level = Level::l2;
    made.dispatch.state = state;
    made.dispatch.created_at = at(1);
    made.dispatch.reason = "listed";
    return made;
}

void add_job(
    domain::Run& run, std::int64_t id, const std::string& name, std::optional<Conclusion> conclusion
) {
    domain::Job job;
    job.id = JobId{id};
    job.key = {.workflow = "CI", .job = name, .run_id = "1", .attempt = 1};
    job.conclusion = conclusion;
    job.started_at = at(2);
    if (conclusion) {
        job.completed_at = at(3);
    }
    run.jobs.push_back(std::move(job));
}

ports::KeptPosting gate(domain::CheckStatus status, std::optional<Conclusion> conclusion) {
    ports::KeptPosting posting;
    posting.check.name = "crcr/gate";
    posting.check.status = status;
    posting.check.conclusion = conclusion;
    posting.check.title = "The gate";
    return posting;
}

PullFacts facts(std::vector<DownstreamLine> lines, std::vector<domain::Run> runs) {
    PullFacts all;
    all.lines = std::move(lines);
    all.runs = std::move(runs);
    all.gate_name = "crcr/gate";
    return all;
}

std::vector<std::string> names(const PullPage& page) {
    std::vector<std::string> all;
    for (const auto& backend : page.backends) {
        all.emplace_back(backend.repo.repo());
    }
    return all;
}

TEST(Standing, IsTheWorstOfTheCellsOrHowTheDispatchStands) {
    using enum CellOutcome;
    const auto of = [](const std::vector<CellOutcome>& cells) {
        return standing_of(cells, {.level = Level::l2, .state = DispatchState::finished});
    };
    EXPECT_EQ(of({success, failure, running}), Standing::failure);
    EXPECT_EQ(of({success, running}), Standing::running);
    EXPECT_EQ(of({success, flaky}), Standing::flaky);
    EXPECT_EQ(of({success, skipped}), Standing::success);
    EXPECT_EQ(of({skipped}), Standing::skipped);
    const auto sent = [](DispatchState state, bool silent = false) {
        return standing_of({}, {.level = Level::l2, .state = state, .silent = silent});
    };
    EXPECT_EQ(sent(DispatchState::pending), Standing::waiting);
    EXPECT_EQ(sent(DispatchState::sent), Standing::waiting);
    EXPECT_EQ(sent(DispatchState::finished, true), Standing::silent);
    EXPECT_EQ(sent(DispatchState::dead), Standing::undelivered);
    EXPECT_EQ(sent(DispatchState::failed), Standing::undelivered);
    EXPECT_EQ(sent(DispatchState::cancelled), Standing::cancelled);
    EXPECT_EQ(sent(DispatchState::superseded), Standing::superseded);
}

TEST(Standing, OfOneThatReportsNothingEndsWithTheDelivery) {
    const auto sent = [](DispatchState state) {
        return standing_of({}, {.level = Level::l1, .state = state});
    };
    EXPECT_EQ(sent(DispatchState::pending), Standing::waiting);
    EXPECT_EQ(sent(DispatchState::sent), Standing::delivered);
    EXPECT_EQ(sent(DispatchState::dead), Standing::undelivered);
}

TEST(Cells, TakeAllAttemptsOfAJobTogetherWhicheverRunTheyAreOf) {
    auto first = run("a", DispatchState::finished);
    add_job(first, 1, "test", Conclusion::failure);
    auto second = run("a", DispatchState::finished); // dispatched afresh: its attempts begin at 1
    add_job(second, 2, "test", Conclusion::success);
    auto other = run("a", DispatchState::finished);
    add_job(other, 3, "test", Conclusion::failure);
    other.jobs[0].counts = false;
    const auto cells = cells_of({second.jobs[0], first.jobs[0], other.jobs[0]});
    ASSERT_EQ(cells.size(), 1U);
    EXPECT_EQ(cells[0].outcome, CellOutcome::flaky);
    EXPECT_EQ(cells[0].attempts.size(), 2U) << "what does not count is not there";
}

TEST(Cells, KeepTwoWorkflowsWithOneJobNameApart) {
    auto both = run("a", DispatchState::finished);
    add_job(both, 1, "test", Conclusion::success);
    add_job(both, 2, "test", Conclusion::failure);
    both.jobs[1].key.workflow = "Nightly";
    EXPECT_EQ(cells_of(both.jobs).size(), 2U);
}

TEST(PullPages, ShowWhoBlocksFirstThenByLevel) {
    auto bad = run("blocker", DispatchState::finished);
    add_job(bad, 1, "test", Conclusion::failure);
    auto good = run("fine", DispatchState::finished);
    add_job(good, 2, "test", Conclusion::success);
    auto red = run("three", DispatchState::finished);
    add_job(red, 3, "test", Conclusion::failure);
    auto all = facts(
        {line("fine", Level::l4, GateState::counted),
         line("blocker", Level::l4, GateState::counted),
         line("three", Level::l3)},
        {red, good, bad}
    );
    all.postings = {gate(domain::CheckStatus::completed, Conclusion::failure)};
    const auto page = pull_page_of(all);
    EXPECT_THAT(names(page), ElementsAre("blocker", "fine", "three"));
    EXPECT_EQ(page.verdict.merge, Merge::blocked);
    EXPECT_THAT(page.verdict.text, HasSubstr("down/blocker"));
    EXPECT_THAT(page.verdict.text, testing::Not(HasSubstr("three"))) << "it holds up nobody";
}

TEST(PullPages, SayWhatTheMergeWaitsFor) {
    auto open = run("four", DispatchState::sent);
    auto all = facts({line("four", Level::l4, GateState::counted)}, {open});
    EXPECT_EQ(pull_page_of(all).verdict.merge, Merge::not_gated);
    all.postings = {gate(domain::CheckStatus::queued, std::nullopt)};
    EXPECT_EQ(pull_page_of(all).verdict.merge, Merge::waiting);
    EXPECT_THAT(pull_page_of(all).verdict.text, HasSubstr("down/four"));
    all.postings = {gate(domain::CheckStatus::completed, Conclusion::success)};
    EXPECT_EQ(pull_page_of(all).verdict.merge, Merge::clear);
}

TEST(PullPages, NameWhoWouldHearOfItButIsHeld) {
    auto held = line("held", Level::l4);
    held.held = "suspended: racks (by ann)";
    auto heard = line("heard", Level::l4);
    heard.held = "suspended: racks (by ann)";
    auto all = facts({held, heard, line("free", Level::l2)}, {run("heard", DispatchState::sent)});
    all.pull.open = true;
    const auto page = pull_page_of(all);
    ASSERT_EQ(page.withheld.size(), 1U) << "whoever heard of it is no longer withheld from";
    EXPECT_EQ(page.withheld[0].repo.text(), "down/held");
    EXPECT_EQ(page.withheld[0].reason, "suspended: racks (by ann)");
    all.pull.open = false;
    EXPECT_TRUE(pull_page_of(all).withheld.empty());
}

TEST(PullPages, ShowNothingOfWhoIsNotForEverybodyToSee) {
    auto hidden = run("secret", DispatchState::finished);
    add_job(hidden, 1, "test", Conclusion::failure);
    const auto page = pull_page_of(facts({line("open", Level::l2)}, {hidden}));
    EXPECT_TRUE(page.backends.empty());
    EXPECT_TRUE(page.timeline.empty());
}

TEST(PullPages, TellTheStoryInTheOrderOfTime) {
    auto told = run("a", DispatchState::finished);
    told.dispatch.sent_at = at(1);
    add_job(told, 1, "test", Conclusion::success);
    auto all = facts({line("a", Level::l2)}, {told});
    ports::Delivery delivery;
    delivery.event = "pull_request";
    delivery.action = "opened";
    delivery.received_at = at(0);
    all.deliveries = {delivery};
    std::vector<std::string> kinds;
    for (const auto& happening : pull_page_of(all).timeline) {
        kinds.emplace_back(happening.kind);
    }
    EXPECT_THAT(kinds, ElementsAre("received", "planned", "sent", "started", "finished"));
}

} // namespace
} // namespace baton::hud
