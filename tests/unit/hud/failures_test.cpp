#include "baton/base/ids.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/signature.hpp"
#include "baton/hud/audience.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/failures.hpp"
#include "baton/hud/pull_failures.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/ports/failures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::hud {
namespace {

using domain::CellOutcome;
using testing::ElementsAre;
using testing::IsEmpty;

RepoName repo(const std::string& name) {
    return *RepoName::parse(name);
}

ports::FlakyView job(const std::string& name, std::size_t flaky, std::size_t passed) {
    return {
        .at = {.upstream = repo("up/stream"), .downstream = repo("down/a")},
        .workflow = "CI",
        .job = name,
        .flaky = flaky,
        .passed = passed,
    };
}

std::vector<std::string> names(const std::vector<ports::FlakyView>& jobs) {
    std::vector<std::string> all;
    for (const auto& one : jobs) {
        all.push_back(one.job);
    }
    return all;
}

TEST(FlakyJobs, AreRankedByWhatIsSureSoThatOneOfOneDoesNotLead) {
    std::vector jobs{job("once", 1, 1), job("often", 40, 100), job("seldom", 1, 100)};
    rank(jobs);
    EXPECT_THAT(names(jobs), ElementsAre("often", "once", "seldom"));
}

TEST(FlakyJobs, ComeInPagesThatMissNoneAndRepeatNone) {
    std::vector jobs{job("a", 5, 9), job("b", 5, 9), job("c", 5, 9), job("d", 1, 9)};
    rank(jobs);
    const auto first = page_behind(jobs, "", 3);
    ASSERT_TRUE(first.has_value());
    EXPECT_THAT(names(first->rows), ElementsAre("a", "b", "c"));
    const auto second = page_behind(jobs, first->next, 3);
    ASSERT_TRUE(second.has_value());
    EXPECT_THAT(names(second->rows), ElementsAre("d"));
    EXPECT_EQ(second->next, "");
    for (const auto* wrong :
         {"nonsense",
          "1",
          "9\x1f"
          "1\x1fup/stream\x1f"
          "down/a\x1f"
          "CI\x1f"
          "a"}) {
        EXPECT_FALSE(page_behind(jobs, wrong, 3)) << wrong;
    }
}

TEST(Clusters, AreTrunksWhenSeveralOwnersSeeThemThere) {
    ports::ClusterView cluster;
    cluster.downstreams.push_back({.repo = repo("a/one")});
    cluster.on_trunk = true;
    EXPECT_EQ(verdict_of(cluster), domain::Whose::backend);
    cluster.downstreams.push_back({.repo = repo("b/two")});
    EXPECT_EQ(verdict_of(cluster), domain::Whose::trunk);
}

BackendOnPull backend(CellOutcome outcome) {
    BackendOnPull made;
    made.repo = repo("a/one");
    made.cells.push_back({.workflow = "CI", .job = "test", .outcome = outcome});
    return made;
}

ports::CommitCell around(CellOutcome outcome) {
    ports::CommitCell cell;
    cell.downstream = repo("a/one");
    cell.workflow = "CI";
    cell.job = "test";
    cell.outcome = outcome;
    return cell;
}

TEST(PullFailures, TellHowACellStandsAgainstTrunk) {
    std::vector backends{backend(CellOutcome::failure)};
    auto known = around(CellOutcome::failure);
    known.trunk = ports::TrunkCell{.head = HeadSha("cccc"), .outcome = CellOutcome::success};
    tell_failures(backends, {known});
    const auto& cell = backends[0].cells[0];
    ASSERT_TRUE(cell.against_base.has_value());
    EXPECT_EQ(cell.against_base->state, domain::AgainstBase::fresh);
    EXPECT_EQ(cell.against_base->trunk->head, HeadSha("cccc"));
    EXPECT_FALSE(cell.attribution.has_value()) << "nothing was gathered about it";
}

TEST(PullFailures, TellWhoseFailureItIsAndNothingOfWhatPassed) {
    std::vector backends{backend(CellOutcome::failure), backend(CellOutcome::success)};
    auto known = around(CellOutcome::failure);
    known.facts = domain::FailureFacts{.downstream = repo("a/one"), .tests_told = true};
    known.facts->on_trunk = CellOutcome::failure;
    tell_failures(backends, {known});
    ASSERT_TRUE(backends[0].cells[0].attribution.has_value());
    EXPECT_EQ(backends[0].cells[0].attribution->verdict, domain::Whose::backend);
    EXPECT_FALSE(backends[1].cells[0].attribution.has_value());
    EXPECT_FALSE(backends[1].cells[0].against_base.has_value());
}

TEST(PullFailures, TellWhereElseAFailedTestWasSeen) {
    std::vector backends{backend(CellOutcome::failure)};
    backends[0].failed_tests.push_back({.job = JobId{4}, .place = 0, .test = {.name = "t"}});
    backends[0].failed_tests.push_back({.job = JobId{4}, .place = 1, .test = {.name = "late"}});
    auto known = around(CellOutcome::failure);
    known.tests.push_back({.job = JobId{4}, .place = 0, .cluster = domain::ClusterId{9}});
    known.facts = domain::FailureFacts{.downstream = repo("a/one")};
    known.facts->signatures.push_back({
        .cluster = domain::ClusterId{9},
        .on_commit = {repo("a/one"), repo("b/two")},
        .other_pulls = 5,
    });
    tell_failures(backends, {known});
    const auto& tests = backends[0].failed_tests;
    EXPECT_EQ(tests[0].cluster, domain::ClusterId{9});
    EXPECT_EQ(tests[0].also_in, 1U);
    EXPECT_EQ(tests[0].seen_before, 5U);
    EXPECT_EQ(tests[1].cluster, std::nullopt) << "it stands behind those that are looked at";
}

TEST(Audiences, AreThoseWhomEverybodyMaySee) {
    domain::Downstream open;
    open.repo = repo("down/open");
    open.level = domain::Level::l3;
    open.visibility = domain::Visibility::open;
    domain::Downstream secret;
    secret.repo = repo("down/secret");
    secret.visibility = domain::Visibility::closed;
    domain::Allowlist list;
    list.add(open);
    list.add(secret);
    const std::vector<ListInForce> lists{
        {.upstream = repo("up/stream"),
         .allowlist = std::make_shared<const domain::Allowlist>(std::move(list)),
         .trouble = ""}
    };
    const Audience all(lists, {}, {});
    ASSERT_EQ(all.among().size(), 1U);
    EXPECT_EQ(all.among()[0].downstream, repo("down/open"));
    EXPECT_EQ(all.level_of(repo("up/stream"), repo("down/open")), domain::Level::l3);
    EXPECT_THAT(Audience(lists, {}, repo("down/secret")).among(), IsEmpty());
    EXPECT_THAT(Audience(lists, repo("up/other"), {}).among(), IsEmpty());
}

} // namespace
} // namespace baton::hud
