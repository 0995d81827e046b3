#include "baton/sim/github_model.hpp"
#include "baton/sim/report.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unit/sim/control_support.hpp"
#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

namespace json = boost::json;
using std::chrono::hours;
using testing::kStart;
using testing::repo;

struct ControlChecks : testing::ControlTest {
    ControlChecks() {
        furnish();
        const auto pull = ok("POST", "/pulls", R"({"repo":"up/stream","author":"ann"})");
        head = HeadSha(std::string(pull.at("head_sha").as_string()));
    }

    std::int64_t check(const std::string& name, const std::string& conclusion = "") {
        json::object body{{"name", name}, {"head_sha", head.text()}};
        if (!conclusion.empty()) {
            body["conclusion"] = conclusion;
        }
        const auto made =
            world.model.create_check(world.model.repo(repo("up/stream"))->id, body, now);
        EXPECT_EQ(made.status, 201) << made.message;
        return made.id;
    }

    json::value mergeable() { return ok("GET", "/mergeable", "", "repo=up/stream&number=1"); }

    json::value body_of_newest_webhook(const json::value& sent) {
        const DeliveryId id(std::string(sent.at("delivery_id").as_string()));
        return json::parse(world.model.hooks().webhook(id)->body);
    }

    /// A dispatch to down/one, played until nobody has more to say; the reports.
    std::vector<Report> play_all() {
        std::vector<Report> said;
        for (auto due = world.downstreams.next_due(); due; due = world.downstreams.next_due()) {
            now = std::max(now, *due);
            while (auto report = world.downstreams.take(now)) {
                said.push_back(*report);
                const auto taken = answer_in(200, R"({"ok":true,"proceed":true})");
                world.downstreams.answered(*report, taken, now);
            }
        }
        return said;
    }

    void dispatch() {
        const auto reply = world.model.dispatch(
            world.model.repo(repo("down/one"))->id,
            R"({"event_type":"pull_request","client_payload":{"delivery_id":"d-1",)"
            R"("payload":{"action":"opened"}}})",
            now
        );
        EXPECT_EQ(reply.status, 204);
    }

    void play(std::string more) {
        ok("POST",
           "/scripts",
           R"({"repo":"down/one","callback_url":"http://127.0.0.1:1/x",)" + more + "}");
    }

    PostReply rerun(std::int64_t run, bool failed_only = true) {
        return world.model.rerun(
            {.repo = world.model.repo(repo("down/one"))->id,
             .run = run,
             .failed_only = failed_only,
             .now = now}
        );
    }

    HeadSha head;
};

TEST_F(ControlChecks, SaysWhetherAPullRequestCouldBeMergedNow) {
    EXPECT_TRUE(mergeable().at("mergeable").as_bool()) << "nothing is required";
    ok("POST", "/protection", R"({"repo":"up/stream","checks":["crcr/gate","lint"]})");
    EXPECT_EQ(mergeable().at("waiting_for"), (json::array{"crcr/gate", "lint"}));
    check("crcr/gate");
    check("lint", "skipped");
    EXPECT_EQ(mergeable().at("waiting_for"), (json::array{"crcr/gate"})) << "it has not ended";
    check("crcr/gate", "timed_out");
    EXPECT_EQ(mergeable().at("failing"), (json::array{"crcr/gate"}));
    EXPECT_FALSE(mergeable().at("mergeable").as_bool());
    check("crcr/gate", "neutral");
    EXPECT_TRUE(mergeable().at("mergeable").as_bool()) << "the newest counts";
    ok("POST",
       "/pulls/act",
       R"({"repo":"up/stream","number":1,"action":"converted_to_draft","by":"ann"})");
    EXPECT_FALSE(mergeable().at("mergeable").as_bool());
    ok("POST",
       "/pulls/act",
       R"({"repo":"up/stream","number":1,"action":"ready_for_review","by":"ann"})");
    ok("POST", "/pulls/act", R"({"repo":"up/stream","number":1,"action":"synchronize"})");
    EXPECT_EQ(mergeable().at("waiting_for").as_array().size(), 2U) << "a new head has no checks";
}

TEST_F(ControlChecks, CountsTheCallsThatMadeACheckWhatItIs) {
    const auto id = check("crcr/gate");
    const auto in = world.model.repo(repo("up/stream"))->id;
    for (int i = 0; i < 3; ++i) {
        world.model.change_check(in, id, json::object{{"status", "in_progress"}}, now);
    }
    const auto shown = ok("GET", "/checks", "", "repo=up/stream&number=1");
    EXPECT_EQ(shown.at("head_sha").as_string(), head.text());
    const auto& line = shown.at("checks").at(0);
    EXPECT_EQ(line.at("created").as_int64(), 1);
    EXPECT_EQ(line.at("updated").as_int64(), 3);
    EXPECT_EQ(line.at("status").as_string(), "in_progress");
}

TEST_F(ControlChecks, SendsWhatGithubSendsWhenSomebodyPressesReRun) {
    check("crcr/gate", "failure");
    auto sent =
        ok("POST",
           "/checks/rerequest",
           R"({"repo":"up/stream","number":1,"name":"crcr/gate","by":"bob"})");
    EXPECT_EQ(sent.at("event").as_string(), "check_run");
    auto body = body_of_newest_webhook(sent);
    EXPECT_EQ(body.at("action").as_string(), "rerequested");
    EXPECT_EQ(body.at("check_run").at("name").as_string(), "crcr/gate");
    EXPECT_EQ(body.at("check_run").at("head_sha").as_string(), head.text());
    EXPECT_EQ(body.at("check_run").at("app").at("id").as_int64(), 12345);
    EXPECT_EQ(body.at("sender").at("login").as_string(), "bob");
    sent = ok("POST", "/checks/rerequest", R"({"repo":"up/stream","number":1})");
    EXPECT_EQ(sent.at("event").as_string(), "check_suite");
    body = body_of_newest_webhook(sent);
    EXPECT_EQ(body.at("check_suite").at("latest_check_runs_count").as_int64(), 1);
    EXPECT_EQ(
        call("POST", "/checks/rerequest", R"({"repo":"up/stream","number":1,"name":"none"})")
            .status,
        404
    );
}

TEST_F(ControlChecks, AnotherAppsCheckCanBeThereToo) {
    ok("POST",
       "/checks",
       R"({"repo":"up/stream","number":1,"name":"lint","app":77,"conclusion":"success"})");
    const auto sent =
        ok("POST", "/checks/rerequest", R"({"repo":"up/stream","number":1,"name":"lint","app":77})"
        );
    EXPECT_EQ(body_of_newest_webhook(sent).at("check_run").at("app").at("id").as_int64(), 77);
}

TEST_F(ControlChecks, SendsWhatPeopleWriteAndWhatTheMergeQueueAsks) {
    auto sent =
        ok("POST",
           "/comments",
           R"({"repo":"up/stream","number":1,"by":"bob","text":"@baton rerun npu"})");
    auto body = body_of_newest_webhook(sent);
    EXPECT_EQ(body.at("comment").at("body").as_string(), "@baton rerun npu");
    EXPECT_EQ(body.at("issue").at("number").as_int64(), 1);
    EXPECT_TRUE(body.at("issue").at("pull_request").is_object());
    const auto shown = ok("GET", "/comments", "", "repo=up/stream&number=1");
    EXPECT_EQ(shown.at("comments").at(0).at("by").as_string(), "bob");
    sent = ok("POST", "/merge_groups", R"({"repo":"up/stream","number":1})");
    body = body_of_newest_webhook(sent);
    EXPECT_EQ(body.at("merge_group").at("base_ref").as_string(), "refs/heads/main");
    const auto queued = HeadSha(std::string(sent.at("head_sha").as_string()));
    EXPECT_NE(queued, head);
    EXPECT_TRUE(world.model.repo(repo("up/stream"))->commits.contains(queued));
}

TEST_F(ControlChecks, ARunThatFailedReallyRunsAgain) {
    play(R"("script":"fail","fails_as":"timed_out","rerun_script":"pass")");
    dispatch();
    const auto first = play_all();
    ASSERT_EQ(first.size(), 2U);
    EXPECT_EQ(first[1].step.conclusion, "timed_out");
    const auto run = first[1].run.id;
    EXPECT_EQ(rerun(run).status, 201);
    EXPECT_EQ(rerun(run).message, "This workflow is already running");
    const auto second = play_all();
    ASSERT_EQ(second.size(), 2U);
    EXPECT_EQ(second[1].run.id, run);
    EXPECT_EQ(second[1].run.attempt, 2);
    EXPECT_EQ(second[1].step.conclusion, "success");
    EXPECT_EQ(rerun(run).status, 403) << "nothing of it failed";
    EXPECT_EQ(rerun(run, false).status, 201);
    EXPECT_EQ(play_all().back().run.attempt, 3);
    const auto runs = ok("GET", "/runs", "", "repo=down/one").at("runs").as_array();
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0].at("run_attempt").as_int64(), 3);
    EXPECT_EQ(runs[0].at("status").as_string(), "completed");
}

TEST_F(ControlChecks, OnlyTheFailedLegRunsAgain) {
    play(R"("script":"matrix","rerun_script":"matrix")");
    dispatch();
    const auto first = play_all();
    const auto bad = std::ranges::find_if(first, [](const Report& report) {
        return report.step.conclusion == "failure";
    });
    ASSERT_NE(bad, first.end());
    EXPECT_EQ(rerun(bad->run.id).status, 201);
    const auto second = play_all();
    ASSERT_EQ(second.size(), 2U) << "a start and an end";
    EXPECT_EQ(second[0].step.job, bad->step.job);
}

TEST_F(ControlChecks, WhatCannotRunAgainIsRefused) {
    play(R"("script":"fail")");
    dispatch();
    const auto run = play_all().back().run.id;
    EXPECT_EQ(rerun(7).status, 404) << "unknown";
    EXPECT_EQ(world.downstreams.rerun({.repo = RepoId{1}, .run = run, .now = now}).status, 404)
        << "another repository's";
    now += hours{24} * 31;
    EXPECT_EQ(rerun(run).status, 403);
    EXPECT_NE(rerun(run).message.find("over a month ago"), std::string::npos);
    now = kStart + hours{24};
    EXPECT_EQ(rerun(run).status, 201);
    play_all();
    ok("POST", "/runs/delete", fmt::format(R"({{"run_id":{}}})", run));
    EXPECT_EQ(rerun(run).status, 404) << "deleted";
}

TEST_F(ControlChecks, ALostRunnerIsGivenUpAfterAnHour) {
    play(R"("script":"crash")");
    dispatch();
    const auto run = play_all().back().run.id;
    EXPECT_EQ(rerun(run).message, "This workflow is already running");
    now += hours{1};
    EXPECT_EQ(rerun(run).status, 201);
}

} // namespace
} // namespace baton::sim
