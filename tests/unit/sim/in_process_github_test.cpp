#include "baton/sim/in_process_github.hpp"
#include "baton/sim/seeded_chance.hpp"
#include "baton/sim/virtual_clock.hpp"

#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

namespace asio = boost::asio;
using domain::Answer;
using domain::Outcome;
using std::chrono::hours;
using std::chrono::seconds;
using testing::furnish;
using testing::kStart;
using testing::repo;
using testing::Spawned;

struct InProcess : ::testing::Test {
    InProcess() { furnish(model); }

    template <class T> T run(asio::awaitable<T> work) {
        Spawned<T> spawned(io, std::move(work));
        run_until_quiet(io, clock, {.until = clock.now() + hours{1}, .done = {}});
        return std::move(spawned.value());
    }

    Answer
    dispatch(std::string_view to = "down/one", std::string body = R"({"event_type":"push"})") {
        return run(github.dispatch({.downstream = repo(to), .body = std::move(body)}));
    }

    std::size_t received() const { return model.dispatches().count({}); }

    asio::io_context io;
    VirtualClock clock{kStart};
    SeededChance chance{1};
    GithubModel model{{.site = {}}};
    Faults faults{1};
    InProcessGithub github{model, faults, clock, chance};
};

TEST_F(InProcess, TellsTheDownstreamAndTakesSomeTime) {
    const auto answer = dispatch();
    EXPECT_EQ(answer.outcome, Outcome::accepted);
    EXPECT_EQ(answer.status, 204);
    EXPECT_EQ(received(), 1U);
    EXPECT_GE(clock.now(), kStart + Millis{10});
    EXPECT_LE(clock.now(), kStart + Millis{80});
    EXPECT_EQ(github.requests().at("dispatches"), 1U);
}

TEST_F(InProcess, KnowsRepositoriesByTheirNumbersAndRefsByTheirCommits) {
    const auto* const upstream = model.repo(repo("up/stream"));
    const auto ids = run(github.repository_ids(repo("up/stream"))).value();
    EXPECT_EQ(RepoId{ids.repository}, upstream->id);
    EXPECT_EQ(ids.owner, upstream->owner.id);
    const auto first = run(github.head_of(repo("up/stream"), "HEAD")).value();
    ASSERT_TRUE(model.push({.repo = repo("up/stream"), .ref = "refs/heads/main", .by = Login("ann")}
    ));
    const auto second = run(github.head_of(repo("up/stream"), "main")).value();
    EXPECT_NE(second, first);
    EXPECT_TRUE(run(github.has_commit(repo("up/stream"), first)).value()) << "it was there once";
    EXPECT_TRUE(run(github.has_commit(repo("up/stream"), second)).value());
    EXPECT_FALSE(run(github.has_commit(repo("up/stream"), HeadSha(std::string(40, 'f')))).value());
    EXPECT_EQ(run(github.head_of(repo("up/stream"), "gone")).error().code, Errc::not_found);
    EXPECT_EQ(run(github.repository_ids(repo("no/body"))).error().code, Errc::not_found);
    faults.add({.route = "commit", .fault = Fault::server_error(502), .times = 1});
    EXPECT_EQ(run(github.has_commit(repo("up/stream"), first)).error().code, Errc::unavailable);
}

struct FaultCase {
    const char* name;
    Fault fault;
    Outcome outcome;
    int status;
    std::size_t received;
};

Fault with_ending(Fault::Ending ending, bool perform) {
    Fault fault;
    fault.ending = ending;
    fault.perform = perform;
    return fault;
}

TEST_F(InProcess, MisbehavesAsTold) {
    const FaultCase cases[] = {
        {"a 502 without effect", Fault::server_error(502), Outcome::unknown, 502, 0},
        {"a 502 behind which the effect lies", Fault::lost_behind(502), Outcome::unknown, 502, 1},
        {"a lost reply", Fault::lost_reply(), Outcome::unknown, 0, 1},
        {"a reset before the effect",
         with_ending(Fault::Ending::reset, false),
         Outcome::unknown,
         0,
         0},
        {"nobody home", with_ending(Fault::Ending::unreachable, true), Outcome::not_sent, 0, 0},
        {"a 401", Fault::server_error(401), Outcome::unauthenticated, 401, 0},
        {"a 410", Fault::server_error(410), Outcome::refused, 410, 0},
        {"a late answer", Fault::slow(seconds{3}), Outcome::accepted, 204, 1},
        {"an answer that is too late", Fault::slow(seconds{60}), Outcome::unknown, 0, 1},
        {"no answer at all", with_ending(Fault::Ending::drop, true), Outcome::unknown, 0, 1},
        {"no answer and no effect", with_ending(Fault::Ending::drop, false), Outcome::unknown, 0, 0
        },
    };
    for (const auto& each : cases) {
        SCOPED_TRACE(each.name);
        faults.clear();
        faults.add(
            {.route = "dispatches", .repo = repo("down/one"), .fault = each.fault, .times = 1}
        );
        const auto before = received();
        const auto began = clock.now();
        const auto answer = dispatch();
        EXPECT_EQ(answer.outcome, each.outcome);
        EXPECT_EQ(answer.status, each.status);
        EXPECT_EQ(received() - before, each.received);
        EXPECT_LE(clock.now() - began, Millis(limits::kGithubCallWait));
        EXPECT_EQ(dispatch().outcome, Outcome::accepted) << "once only";
    }
}

TEST_F(InProcess, NamesTheTimeWhenThrottled) {
    faults.add({.fault = Fault::secondary_limit(seconds{60}), .times = 1});
    const auto answer = dispatch();
    EXPECT_EQ(answer.outcome, Outcome::throttled);
    EXPECT_EQ(answer.status, 403);
    EXPECT_EQ(answer.not_before, clock.now() + seconds{60});
    EXPECT_EQ(received(), 0U);
}

TEST_F(InProcess, ObeysThePrimaryLimit) {
    auto& limit = model.rate_limit(model.installation_of(*model.repo(repo("down/one"))), kStart);
    limit.limit = 1;
    EXPECT_EQ(dispatch().outcome, Outcome::accepted);
    const auto answer = dispatch();
    EXPECT_EQ(answer.outcome, Outcome::throttled);
    EXPECT_EQ(answer.not_before, kStart + hours{1});
    clock.advance(hours{1});
    EXPECT_EQ(dispatch().outcome, Outcome::accepted) << "the next hour";
}

TEST_F(InProcess, RefusesAsGithubDoes) {
    EXPECT_EQ(dispatch("down/absent").outcome, Outcome::refused);
    EXPECT_EQ(dispatch("no/where").outcome, Outcome::refused);
    EXPECT_EQ(dispatch("down/one", "{}").outcome, Outcome::refused);
    const auto large =
        R"({"event_type":"push","client_payload":{"p":")" + std::string(70'000, 'x') + "\"}}";
    EXPECT_EQ(dispatch("down/one", large).outcome, Outcome::too_large);
    EXPECT_EQ(received(), 0U);
}

TEST_F(InProcess, FollowsARenamedRepository) {
    ASSERT_TRUE(model.rename(repo("down/one"), repo("down/uno")));
    EXPECT_EQ(dispatch("down/one").outcome, Outcome::accepted);
    EXPECT_EQ(model.dispatches().count({.repo = repo("down/uno")}), 1U);
}

TEST_F(InProcess, ReadsAFileOnceUntilItChanges) {
    ports::FileQuery query{.repo = repo("up/stream"), .path = "list.yml", .ref = "main"};
    EXPECT_EQ(run(github.read_file(query)).error().code, Errc::not_found);
    ASSERT_TRUE(model.put_file({.repo = query.repo, .path = "list.yml", .text = "L1: []"}));
    const auto first = run(github.read_file(query));
    ASSERT_TRUE(first && *first);
    EXPECT_EQ((*first)->text, "L1: []");
    query.etag = (*first)->etag;
    const auto again = run(github.read_file(query));
    ASSERT_TRUE(again);
    EXPECT_FALSE(*again) << "unchanged";
    ASSERT_TRUE(model.put_file({.repo = query.repo, .path = "list.yml", .text = "{}"}));
    EXPECT_EQ((*run(github.read_file(query)))->text, "{}");
    faults.add({.route = "contents", .fault = Fault::server_error(503), .times = 1});
    EXPECT_EQ(run(github.read_file(query)).error().code, Errc::unavailable);
    faults.add({.route = "contents", .fault = with_ending(Fault::Ending::drop, true), .times = 1});
    EXPECT_EQ(run(github.read_file(query)).error().code, Errc::timed_out);
}

TEST_F(InProcess, KnowsWhatPeopleMayDo) {
    ASSERT_TRUE(model.set_permission(repo("up/stream"), Login("Tri"), domain::Permission::triage));
    model.account(Login("guest"));
    const auto may = [&](const char* login) {
        return run(github.permission({.repo = repo("up/stream"), .login = Login(login)})).value();
    };
    EXPECT_EQ(may("tri"), domain::Permission::triage);
    EXPECT_EQ(may("guest"), domain::Permission::read) << "it is public";
    EXPECT_EQ(may("nobody"), domain::Permission::none);
}

TEST_F(InProcess, SaysWhetherTheAppHasAccess) {
    EXPECT_TRUE(run(github.check_access()));
    faults.add({.route = "app", .fault = Fault::server_error(401), .times = 1});
    EXPECT_EQ(run(github.check_access()).error().code, Errc::unauthenticated);
}

std::string times_of_ten_calls(std::uint64_t seed) {
    asio::io_context io;
    VirtualClock clock(kStart);
    SeededChance chance(seed);
    GithubModel model({.site = {}});
    Faults faults(seed);
    InProcessGithub github(model, faults, clock, chance);
    std::string out;
    for (int i = 0; i < 10; ++i) {
        const Spawned<Result<void>> call(io, github.check_access());
        run_until_quiet(io, clock, {.until = kStart + hours{1}, .done = {}});
        out += to_text(clock.now() - kStart) + " ";
    }
    return out;
}

TEST(InProcessDeterminism, TakesTheSameTimesFromTheSameSeed) {
    EXPECT_EQ(times_of_ten_calls(9), times_of_ten_calls(9));
    EXPECT_NE(times_of_ten_calls(9), times_of_ten_calls(10));
}

} // namespace
} // namespace baton::sim
