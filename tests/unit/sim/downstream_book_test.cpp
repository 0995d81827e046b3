#include "baton/sim/downstream_book.hpp"
#include "baton/sim/github_model.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

namespace json = boost::json;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::kStart;
using testing::repo;

const ReportAnswer kTaken = answer_in(200, R"({"ok":true,"proceed":true})");
const ReportAnswer kStop = answer_in(200, R"({"ok":true,"duplicate":true,"proceed":false})");

struct Book : ::testing::Test {
    Book() { testing::furnish(model); }

    void play(const char* name, Script script) {
        book.play(repo(name), {.script = script, .callback_url = "http://x", .audience = "relay"});
    }

    void tell(const char* name, const std::string& delivery = "d-1") {
        const auto body = fmt::format(
            R"({{"event_type":"pull_request","client_payload":{{"event_type":"pull_request",)"
            R"("delivery_id":"{0}","callback_token":"bt1.{0}.{1}","payload":{{"action":"opened",)"
            R"("number":7,"pull_request":{{"number":7,"head":{{"sha":"abc"}}}}}}}}}})",
            delivery,
            name
        );
        const ReceivedDispatch received{
            .at = kStart,
            .repo = repo(name),
            .event_type = "pull_request",
            .delivery_id = delivery,
            .body = body,
        };
        book.arrived(received, *model.repo(repo(name)));
    }

    /// Plays everything; `relay` answers.
    template <class Relay> std::vector<Report> play_all(Relay relay) {
        std::vector<Report> said;
        for (auto due = book.next_due(); due; due = book.next_due()) {
            now = std::max(now, *due);
            const auto report = book.take(now);
            if (report) {
                said.push_back(*report);
                book.answered(*report, relay(*report), now);
            }
        }
        return said;
    }

    GithubModel model{{.site = {}}};
    ActionsRuns runs{1};
    DownstreamBook book{runs, 1};
    TimePoint now{kStart};
};

json::object body_in(const Report& report) {
    return json::parse(body_of(report)).as_object();
}

TEST_F(Book, EchoesWhatTheDownstreamWasToldAndSaysWhatTheActionSays) {
    play("down/one", Script::fail);
    tell("down/one");
    const auto said = play_all([](const Report&) { return kTaken; });
    ASSERT_EQ(said.size(), 2U);
    const auto start = body_in(said[0]);
    EXPECT_EQ(start.at("delivery_id").as_string(), "d-1");
    EXPECT_EQ(start.at("callback_token").as_string(), "bt1.d-1.down/one");
    const auto& workflow = start.at("workflow").as_object();
    EXPECT_EQ(workflow.at("status").as_string(), "in_progress");
    EXPECT_TRUE(workflow.at("conclusion").is_null());
    EXPECT_EQ(workflow.at("schema_version").as_string(), "1");
    EXPECT_EQ(workflow.at("run_id").as_string(), std::to_string(said[0].run.id));
    EXPECT_EQ(workflow.at("run_attempt").as_string(), "1");
    EXPECT_FALSE(workflow.contains("test_results"));
    const auto end = body_in(said[1]).at("workflow").as_object();
    EXPECT_EQ(end.at("conclusion").as_string(), "failure");
    EXPECT_EQ(end.at("test_results").at("failed").as_int64(), 1);
    EXPECT_EQ(end.at("failed_tests").as_array().size(), 1U);
    EXPECT_EQ(
        end.at("failed_tests").at(0).at("name").as_string(), "test_ops.py::TestOps::test_add_one"
    ) << "a test of its own device";
    EXPECT_EQ(caller_of(said[1].identity).run_id, std::to_string(said[1].run.id));
    EXPECT_EQ(book.counts().at(repo("down/one")).accepted, 2U);
}

TEST_F(Book, StartsANewRunWheneverTheDownstreamIsTold) {
    play("down/one", Script::pass);
    tell("down/one");
    tell("down/one");
    std::set<std::int64_t> ids;
    for (const auto& report : play_all([](const Report&) { return kTaken; })) {
        ids.insert(report.run.id);
    }
    EXPECT_EQ(ids.size(), 2U);
}

TEST_F(Book, DoesNothingWithoutAPartAndForWhatIsNoDispatchOfOurs) {
    tell("down/one");
    play("down/two", Script::pass);
    book.arrived(
        {.at = kStart, .repo = repo("down/two"), .body = "nonsense"}, *model.repo(repo("down/two"))
    );
    EXPECT_EQ(book.next_due(), std::nullopt);
    EXPECT_EQ(book.open(), 0U);
}

TEST_F(Book, ARunThatIsToldNotToProceedSaysNoMore) {
    play("down/one", Script::duplicate);
    tell("down/one");
    std::optional<std::int64_t> claimed;
    const auto said = play_all([&](const Report& report) {
        claimed = claimed.value_or(report.run.id);
        return report.run.id == *claimed ? kTaken : kStop;
    });
    EXPECT_EQ(said.size(), 5U); // all but the end of the second run
    EXPECT_EQ(book.counts().at(repo("down/one")).left_unsaid, 1U);
    EXPECT_EQ(book.counts().at(repo("down/one")).stopped, 1U);
}

TEST_F(Book, WhatStillHadToBeSaidAgainWhenItsRunWasStoppedHoldsNobodyUp) {
    play("down/one", Script::forged);
    tell("down/one");
    const auto said = play_all([&](const Report& report) {
        const bool honest = report.step.forgery == Forgery::none;
        return honest ? ReportAnswer{} : kStop;
    });
    EXPECT_EQ(book.open(), 0U);
    EXPECT_EQ(said.back().step.job, "test") << "the last forgery is under the honest job's name";
}

TEST_F(Book, TheDeafGoOn) {
    play("down/one", Script::deaf);
    tell("down/one");
    const auto said = play_all([&](const Report&) { return kStop; });
    EXPECT_EQ(said.back().step.conclusion, "failure");
}

TEST_F(Book, TriesAgainWhatGotNoAnswerAndKeepsTheOrderOfAJob) {
    play("down/one", Script::pass);
    tell("down/one");
    std::vector<int> heard{0, 503, 429, 200};
    std::size_t asked = 0;
    std::vector<TimePoint> at;
    const auto said = play_all([&](const Report&) {
        at.push_back(now);
        auto answer = answer_in(asked < heard.size() ? heard[asked] : 200, "{}");
        if (answer.status == 429) {
            answer.retry_after = minutes{10}; // longer than the job runs
        }
        ++asked;
        return answer;
    });
    ASSERT_EQ(said.size(), 5U);
    EXPECT_EQ(said[3].tries, 4);
    EXPECT_TRUE(said[3].step.conclusion.empty()) << "the end waited for the start";
    EXPECT_EQ(at[1] - at[0], seconds{1});
    EXPECT_EQ(at[2] - at[1], seconds{2});
    EXPECT_EQ(at[3] - at[2], minutes{10});
    EXPECT_EQ(book.counts().at(repo("down/one")).accepted, 2U);
    EXPECT_EQ(book.counts().at(repo("down/one")).tries, 5U);
}

TEST_F(Book, GivesUpInTheEnd) {
    play("down/one", Script::crash);
    tell("down/one");
    const auto said = play_all([](const Report&) { return ReportAnswer{}; });
    EXPECT_EQ(said.size(), static_cast<std::size_t>(DownstreamBook::kTriesMax));
    EXPECT_EQ(book.counts().at(repo("down/one")).given_up, 1U);
    EXPECT_EQ(book.open(), 0U);
}

TEST_F(Book, ForgesWhatItSays) {
    play("down/two", Script::pass);
    tell("down/two", "d-0");
    play("down/one", Script::forged);
    tell("down/one");
    const auto said = play_all([](const Report&) { return answer_in(403, "{}"); });
    std::set<Forgery> seen;
    for (const auto& report : said) {
        const auto forgery = report.step.forgery;
        if (!seen.insert(forgery).second) {
            continue;
        }
        SCOPED_TRACE(name_of(forgery));
        const auto body = body_in(report);
        const auto has_token = body.contains("callback_token");
        EXPECT_EQ(has_token, forgery != Forgery::no_callback_token);
        EXPECT_EQ(report.audience != "relay", forgery == Forgery::wrong_audience);
        EXPECT_EQ(report.identity.repo != report.run.repo, forgery == Forgery::other_repo);
        EXPECT_EQ(
            report.identity.id != report.run.id,
            forgery == Forgery::other_run || forgery == Forgery::other_repo
        );
        const auto& delivery = body.at("delivery_id").as_string();
        EXPECT_EQ(delivery != "d-1" && delivery != "d-0", forgery == Forgery::other_delivery);
        const auto number = body.at("payload").at("pull_request").at("number").as_int64();
        EXPECT_EQ(number != 7, forgery == Forgery::other_pull);
        if (forgery == Forgery::other_dispatch) {
            EXPECT_EQ(body.at("callback_token").as_string(), "bt1.d-0.down/two");
        }
    }
    EXPECT_EQ(seen.size(), 1 + forgeries().size());
    EXPECT_GE(book.counts().at(repo("down/one")).refusals.at(403), forgeries().size());
}

TEST_F(Book, PretendsToBeAStrangerWhenThereIsNobodyElse) {
    play("down/one", Script::forged);
    tell("down/one");
    for (const auto& report : play_all([](const Report&) { return kTaken; })) {
        if (report.step.forgery == Forgery::other_repo) {
            EXPECT_EQ(report.identity.repo.text(), "mallory/one");
        }
    }
}

TEST_F(Book, ANightlyReportsTheUpstreamsHeadByItself) {
    play("down/one", Script::nightly);
    tell("down/one");
    EXPECT_EQ(book.open(), 0U) << "it runs for nothing else";
    const HeadSha head("0123456789012345678901234567890123456789");
    book.nightly(
        *model.repo(repo("down/one")), {.upstream = repo("up/stream"), .head = head}, kStart
    );
    const auto said = play_all([](const Report&) { return kTaken; });
    ASSERT_EQ(said.size(), 1U);
    const auto body = body_in(said[0]);
    EXPECT_EQ(body.at("event_type").as_string(), "nightly");
    EXPECT_EQ(body.at("delivery_id").as_string(), head.text());
    EXPECT_EQ(body.at("payload").at("head_sha").as_string(), head.text());
    EXPECT_EQ(body.at("payload").at("repository").at("full_name").as_string(), "up/stream");
    EXPECT_EQ(body.at("workflow").at("status").as_string(), "completed");
    EXPECT_FALSE(body.contains("callback_token"));
}

TEST_F(Book, ReadsAnAnswerOfAnyShape) {
    EXPECT_EQ(answer_in(200, R"({"proceed":false})").proceed, std::optional(false));
    EXPECT_EQ(answer_in(200, "{}").proceed, std::nullopt);
    EXPECT_TRUE(answer_in(200, R"({"stale":true})").stale);
    EXPECT_TRUE(answer_in(200, R"({"duplicate":true})").duplicate);
    EXPECT_TRUE(answer_in(200, R"({"status":"ignored"})").ignored);
    EXPECT_FALSE(answer_in(200, R"({"status":"completed"})").ignored);
    EXPECT_FALSE(answer_in(502, "<html>").duplicate);
    EXPECT_TRUE(answer_in(502, "<html>").worth_another_try());
    EXPECT_FALSE(answer_in(409, "[]").worth_another_try());
}

} // namespace
} // namespace baton::sim
