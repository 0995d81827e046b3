#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/github.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/in_process_github.hpp"
#include "baton/sim/seeded_chance.hpp"
#include "baton/sim/virtual_clock.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

namespace asio = boost::asio;
using domain::CheckStatus;
using domain::Conclusion;
using domain::Outcome;
using ports::RerunAnswer;
using std::chrono::hours;
using testing::furnish;
using testing::kStart;
using testing::repo;
using testing::Spawned;

struct InProcessPosts : ::testing::Test {
    InProcessPosts() {
        furnish(model);
        const auto opened = model.open_pull({.repo = upstream, .author = Login("ann")});
        head = opened.value().head;
    }

    template <class T> T run(asio::awaitable<T> work) {
        Spawned<T> spawned(io, std::move(work));
        run_until_quiet(io, clock, {.until = clock.now() + hours{1}, .done = {}});
        return std::move(spawned.value());
    }

    ports::CheckCall gate(std::optional<std::int64_t> id = std::nullopt) const {
        return {
            .repo = upstream,
            .head = head,
            .id = id,
            .check = {.name = "crcr/gate", .title = "waiting", .summary = "for npu"},
        };
    }

    ports::CommentCall comment(std::optional<std::int64_t> id = std::nullopt) const {
        return {.repo = upstream, .pr = PrNumber{1}, .id = id, .text = "<!-- baton --> hello"};
    }

    asio::io_context io;
    VirtualClock clock{kStart};
    SeededChance chance{1};
    GithubModel model{{.site = {}}};
    Faults faults{1};
    InProcessGithub github{model, faults, clock, chance};
    RepoName upstream = repo("up/stream");
    HeadSha head;
};

TEST_F(InProcessPosts, CreatesACheckAndChangesIt) {
    const auto created = run(github.post_check(gate()));
    ASSERT_EQ(created.answer.outcome, Outcome::accepted) << created.answer.detail;
    auto ended = gate(created.id);
    ended.check.status = CheckStatus::completed;
    ended.check.conclusion = Conclusion::success;
    ended.check.title = "all passed";
    const auto changed = run(github.post_check(ended));
    EXPECT_EQ(changed.answer.outcome, Outcome::accepted) << changed.answer.detail;
    EXPECT_EQ(changed.id, created.id);
    const auto* const run_now = model.checks().find(created.id);
    ASSERT_NE(run_now, nullptr);
    EXPECT_EQ(run_now->conclusion, "success");
    EXPECT_EQ(run_now->title, "all passed");
    EXPECT_EQ(run_now->changes, 1U);
}

TEST_F(InProcessPosts, ACheckThatEndedIsOpenedAgainByAnotherStatus) {
    auto call = gate();
    call.check.status = CheckStatus::completed;
    call.check.conclusion = Conclusion::failure;
    const auto created = run(github.post_check(call));
    const auto changed = run(github.post_check(gate(created.id)));
    EXPECT_EQ(changed.answer.outcome, Outcome::accepted);
    EXPECT_EQ(model.checks().find(created.id)->status, "queued");
    EXPECT_EQ(model.checks().find(created.id)->conclusion, "");
}

TEST_F(InProcessPosts, RefusesWhatGithubRefuses) {
    auto elsewhere = gate();
    elsewhere.head = HeadSha(std::string(40, 'f'));
    EXPECT_EQ(run(github.post_check(elsewhere)).answer.status, 422);
    auto nowhere = gate();
    nowhere.repo = repo("no/body");
    EXPECT_EQ(run(github.post_check(nowhere)).answer.status, 404);
    auto endless = gate();
    endless.check.summary = std::string(70'000, 'x');
    EXPECT_EQ(run(github.post_check(endless)).answer.outcome, Outcome::refused);
    EXPECT_EQ(run(github.post_check(gate(7))).answer.status, 404);
}

TEST_F(InProcessPosts, FindsACheckWhoseCreationWasNeverAnswered) {
    faults.add({.route = "create_check", .fault = Fault::lost_reply(), .times = 1});
    EXPECT_EQ(run(github.post_check(gate())).answer.outcome, Outcome::unknown);
    const ports::CheckQuery query{.repo = upstream, .head = head, .name = "crcr/gate"};
    const auto found = run(github.find_check(query));
    ASSERT_TRUE(found);
    ASSERT_TRUE(*found);
    EXPECT_EQ(model.checks().find(**found)->title, "waiting");
    const ports::CheckQuery other{.repo = upstream, .head = head, .name = "crcr/other"};
    EXPECT_EQ(run(github.find_check(other)).value(), std::nullopt);
}

TEST_F(InProcessPosts, ACheckThatWasNotSentIsNotThere) {
    faults.add({.route = "create_check", .fault = Fault::server_error(503), .times = 1});
    EXPECT_EQ(run(github.post_check(gate())).answer.outcome, Outcome::unknown);
    EXPECT_TRUE(model.checks().of(model.repo(upstream)->id, head).empty());
}

TEST_F(InProcessPosts, KeepsOneCommentAndFindsIt) {
    const auto created = run(github.post_comment(comment()));
    EXPECT_EQ(created.answer.outcome, Outcome::accepted) << created.answer.detail;
    EXPECT_EQ(run(github.post_comment(comment(created.id))).id, created.id);
    ports::CommentQuery query{.repo = upstream, .pr = PrNumber{1}, .mark = "<!-- baton -->"};
    EXPECT_EQ(run(github.find_comment(query)).value(), created.id);
    query.mark = "hello";
    EXPECT_EQ(run(github.find_comment(query)).value(), std::nullopt);
    auto nowhere = comment();
    nowhere.pr = PrNumber{9};
    EXPECT_EQ(run(github.post_comment(nowhere)).answer.status, 404);
}

TEST_F(InProcessPosts, TellsARunThatGoesOnFromOneThatCannotRunAgain) {
    PostReply answer{.status = 201};
    model.on_rerun([&answer](const Rerun& /*what*/) { return answer; });
    const ports::RerunCall call{.downstream = repo("down/one"), .run_id = "5"};
    EXPECT_EQ(run(github.rerun(call)).value(), RerunAnswer::asked);
    answer = {.status = 403, .message = "This workflow is already running"};
    EXPECT_EQ(run(github.rerun(call)).value(), RerunAnswer::already_running);
    answer = {.status = 404, .message = "Not Found"};
    EXPECT_EQ(run(github.rerun(call)).value(), RerunAnswer::refused);
    faults.add({.route = "rerun", .fault = Fault::server_error(502), .times = 1});
    EXPECT_EQ(run(github.rerun(call)).error().code, Errc::unavailable);
    const auto asked = github.requests().at("rerun");
    const ports::RerunCall wrong{.downstream = repo("down/one"), .run_id = "../5"};
    EXPECT_EQ(run(github.rerun(wrong)).value(), RerunAnswer::refused);
    EXPECT_EQ(github.requests().at("rerun"), asked);
}

} // namespace
} // namespace baton::sim
