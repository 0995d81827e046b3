#include "baton/app/demo_account.hpp"
#include "baton/app/demo_cast.hpp"
#include "baton/app/demo_downstreams.hpp"
#include "baton/app/demo_results.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <string>
#include <utility>

namespace baton::app::demo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

const RepoName kRepo = repo_named("two/busy");

sim::SentReport said(std::string conclusion, const std::string& body, int status = 200) {
    sim::SentReport sent;
    sent.report.run = {.id = 7, .repo = kRepo, .workflow = "ci"};
    sent.report.step.conclusion = std::move(conclusion);
    sent.delivery_id = "d-1";
    sent.answer = sim::answer_in(status, body);
    return sent;
}

ports::DeliveryHistory stored(domain::Conclusion conclusion) {
    ports::DeliveryHistory history;
    history.delivery.id = DeliveryId("d-1");
    ports::DispatchHistory one;
    one.dispatch.key.downstream = kRepo;
    domain::Job job;
    job.key = {.workflow = "ci", .job = "test", .run_id = "7", .attempt = 1};
    job.conclusion = conclusion;
    job.bound = true;
    one.jobs.push_back(job);
    history.dispatches.push_back(one);
    return history;
}

ResultAccount account_of(const std::deque<sim::SentReport>& sent, bool with_store = true) {
    ResultAuditor auditor({.sent = sent, .counts = {.in_progress = 1, .by_relay = 2, .silent = 3}});
    if (with_store) {
        auditor.look_at(stored(domain::Conclusion::success));
    }
    return auditor.finish();
}

TEST(DemoResults, EveryReportThatWasTakenIsInTheStore) {
    const auto account = account_of(
        {said("", "{}"),
         said("success", "{}"),
         said("success", R"({"duplicate":true})"),
         said("", R"({"stale":true})"),
         said("", R"({"status":"ignored"})"),
         said("", "", 503)}
    );
    EXPECT_THAT(account.wrong, IsEmpty());
    EXPECT_EQ(account.reports, 6U);
    EXPECT_EQ(account.results.recorded, 2U);
    EXPECT_EQ(account.results.duplicate, 2U);
    EXPECT_EQ(account.results.ignored, 1U);
    EXPECT_EQ(account.unanswered, 1U);
    EXPECT_EQ(account.results.running, 1U);
    EXPECT_EQ(account.results.timed_out, 2U);
    EXPECT_EQ(account.results.silent, 3U);
}

TEST(DemoResults, OneThatIsNotThereIsToldOf) {
    EXPECT_THAT(
        account_of({said("success", "{}")}, false).wrong,
        ElementsAre(HasSubstr("was answered 200 and is not in the store"))
    );
    EXPECT_THAT(
        account_of({said("failure", "{}")}).wrong,
        ElementsAre(HasSubstr("is not in the store as it was said"))
    );
}

TEST(DemoResults, AForgeryMustBeRefusedAndAnHonestReportMustNot) {
    auto forged = said("success", "{}", 403);
    forged.report.step.forgery = sim::Forgery::other_repo;
    const auto account = account_of({forged});
    EXPECT_THAT(account.wrong, IsEmpty());
    EXPECT_THAT(account.refusals, ElementsAre(Pair("another repository's token (403)", 1U)));

    forged.answer.status = 200;
    EXPECT_THAT(account_of({forged}).wrong, ElementsAre(HasSubstr("was taken with")));
    EXPECT_THAT(
        account_of({said("success", "no", 400)}).wrong,
        ElementsAre(HasSubstr("was honest and refused: no"))
    );
}

TEST(DemoResults, TheAccountTellsWhatBecameOfReports) {
    Account account;
    account.results = account_of({said("success", "{}")});
    const auto text = to_text(account, {});
    EXPECT_THAT(text, HasSubstr("reports                 1  about 1 job"));
    EXPECT_THAT(text, HasSubstr("silent                  3"));
    EXPECT_THAT(text, HasSubstr("timed out               2"));
    EXPECT_THAT(text, HasSubstr("all 1 results are in"));
}

TEST(DemoDownstreams, EveryScriptIsPlayedBySomebodyOfTheCast) {
    std::set<sim::Script> played;
    for (const auto& downstream : cast()) {
        if (const auto script = script_of(downstream.repo)) {
            played.insert(*script);
        }
    }
    EXPECT_EQ(played.size(), sim::script_names().size());
}

TEST(DemoDownstreams, EachTellsItsWayInAFewWords) {
    for (const auto name : sim::script_names()) {
        SCOPED_TRACE(name);
        const auto script = *sim::script_named(name);
        const auto note = report_note(script, {.sent = 1});
        ASSERT_TRUE(note);
        EXPECT_LE(note->text.size(), 32U);
        EXPECT_FALSE(note->text.empty());
        EXPECT_EQ(report_note(script, {}).has_value(), script == sim::Script::silent);
    }
}

} // namespace
} // namespace baton::app::demo
