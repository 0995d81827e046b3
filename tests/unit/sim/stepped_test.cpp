#include "baton/sim/crash_points.hpp"
#include "baton/sim/stepped_github.hpp"
#include "baton/sim/stepped_store.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "unit/sim/counting_store.hpp"
#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

namespace asio = boost::asio;
using testing::repo;
using testing::Spawned;
using Order = Step::Order;

class CountingGithub final : public ports::Github {
public:
    int dispatched{0};
    int others{0};

    asio::awaitable<domain::Answer> dispatch(ports::DispatchCall) override {
        ++dispatched;
        co_return domain::Answer{.outcome = domain::Outcome::accepted, .status = 204};
    }

    asio::awaitable<Result<std::optional<ports::FileVersion>>> read_file(ports::FileQuery
    ) override {
        ++others;
        co_return std::optional<ports::FileVersion>{};
    }

    asio::awaitable<Result<domain::Permission>> permission(ports::PermissionQuery) override {
        ++others;
        co_return domain::Permission::read;
    }

    asio::awaitable<Result<ports::HookPage>> hook_log(std::string) override {
        ++others;
        co_return ports::HookPage{};
    }

    asio::awaitable<Result<void>> ask_again(std::int64_t) override {
        ++others;
        co_return Result<void>{};
    }

    asio::awaitable<Result<ports::PullsPage>> open_pulls(ports::PullsQuery) override {
        ++others;
        co_return ports::PullsPage{};
    }

    asio::awaitable<Result<ports::PullView>> pull(RepoName, PrNumber) override {
        ++others;
        co_return ports::PullView{};
    }

    asio::awaitable<Result<domain::ImmutableIds>> repository_ids(RepoName /*repo*/) override {
        ++others;
        co_return domain::ImmutableIds{};
    }

    asio::awaitable<Result<HeadSha>> head_of(RepoName /*repo*/, std::string /*ref*/) override {
        ++others;
        co_return HeadSha("");
    }

    asio::awaitable<Result<bool>> has_commit(RepoName /*repo*/, HeadSha /*sha*/) override {
        ++others;
        co_return true;
    }

    asio::awaitable<ports::Posted> post_check(ports::CheckCall) override {
        ++others;
        co_return ports::Posted{.answer = {.outcome = domain::Outcome::accepted}, .id = 1};
    }

    asio::awaitable<ports::Posted> post_comment(ports::CommentCall) override {
        ++others;
        co_return ports::Posted{.answer = {.outcome = domain::Outcome::accepted}, .id = 1};
    }

    asio::awaitable<Result<std::optional<std::int64_t>>> find_check(ports::CheckQuery) override {
        ++others;
        co_return std::optional<std::int64_t>{};
    }

    asio::awaitable<Result<std::optional<std::int64_t>>> find_comment(ports::CommentQuery
    ) override {
        ++others;
        co_return std::optional<std::int64_t>{};
    }

    asio::awaitable<Result<ports::RerunAnswer>> rerun(ports::RerunCall) override {
        ++others;
        co_return ports::RerunAnswer::asked;
    }

    asio::awaitable<Result<void>> check_access() override {
        ++others;
        co_return Result<void>{};
    }

    const domain::QuotaBook& quotas() const override { return quotas_; }

    void hear(const domain::OthersQuotas& heard, TimePoint now) override {
        quotas_.hear(heard, now);
    }

private:
    domain::QuotaBook quotas_;
};

struct Stepped : ::testing::Test {
    Order ask(std::string_view point) {
        passed.emplace_back(point);
        const auto found = orders.find(std::string(point));
        return found == orders.end() ? Order::go_on : found->second;
    }

    template <class T> void run(asio::awaitable<T> call) {
        const Spawned<T> spawned(io, std::move(call));
        io.restart();
        io.run();
        EXPECT_TRUE(spawned.done());
    }

    void run_verbs_about_results() {
        run(store.dispatches_to({}, {}));
        run(store.record_report({}));
        run(store.pin_first({}));
        run(store.sweep({}));
        run(store.unverified_jobs(1));
        run(store.settle_commit({}, domain::CommitCheck::known, {}));
        run(store.report_detail({}));
        run(store.latest_jobs({}));
        run(store.job_tallies({}));
        run(store.result_counts());
        run(store.take_letters({}));
        run(store.end_letter({}));
        run(store.dead_letters(1));
        run(store.revive_letters({}, {}, {}));
        run_verbs_about_checks();
        run(store.schedule_marks());
        run(store.fire_schedule({}));
        run(store.miss_schedule({}));
    }

    void run_verbs_about_checks() {
        run(store.looks({}, 1));
        run(store.runs({}));
        run(store.postings_of({}));
        run(store.reruns_of({}));
        run(store.commit_postings({}));
        run(store.take_postings({}));
        run(store.end_posting({}));
        run(store.look_again({}));
        run(store.take_reruns({}));
        run(store.end_rerun({}));
        run(store.gate_suspensions());
        run(store.suspend_gate({}));
        run(store.resume_gate({}));
        run(store.check_counts());
    }

    asio::io_context io;
    CountingStore inner;
    CountingGithub inner_github;
    std::map<std::string, Order> orders;
    std::vector<std::string> passed;
    std::shared_ptr<Incarnation> life =
        std::make_shared<Incarnation>([this](std::string_view point) { return ask(point); });
    SteppedStore store{inner, life};
    SteppedGithub github{inner_github, life};
};

TEST_F(Stepped, PassesEveryCrashPointInItsPlace) {
    run(store.insert_delivery({}));
    run(store.deliveries_to_plan(TimePoint{}, 1));
    run(store.pull_request({}));
    run(store.commit_plan({}));
    run(store.due({}));
    run(store.lease({}));
    run(store.settle({}));
    run(store.body_of({}));
    run(store.cancel_pending({}, {}, {}, {}));
    run(store.adopt({}, {}));
    run_verbs_about_results();
    run(store.record_allowlist({}));
    run(store.last_allowlist({}));
    run(store.signing_keys());
    run(store.add_signing_key({}, {}));
    run(store.last_walk());
    run(store.note_hooks({}));
    run(store.end_walk({}, {}));
    run(store.hooks_astray(1));
    run(store.note_asked(DeliveryId("d"), 0, {}));
    run(store.note_not_asked(DeliveryId("d"), 1, {}));
    run(store.completeness({}, {}));
    run(store.record_completeness({}, {}));
    run(store.open_pull_requests({}));
    run(store.list_deliveries({}));
    run(store.delivery_history({}));
    run(store.redeliver({}));
    run(store.counts());
    run(store.suspensions({}));
    run(store.suspend({}));
    run(store.resume({}));
    run(store.insert_test({}));
    run(store.pin_of({}));
    run(store.repin({}));
    run(store.downstream_figures({}));
    run(store.allowlists_at({}));
    run(store.enter_mode(ports::Mode::live, {}));
    run(store.prune_bodies({}));
    run(store.prune_results({}));
    run(store.prune_dispatches({}));
    run(store.bytes_of({}));
    run(store.keep_sizes({}));
    run(github.dispatch({}));
    run(github.read_file({}));
    run(github.permission({}));
    run(github.hook_log(""));
    run(github.ask_again(1));
    run(github.open_pulls({}));
    run(github.pull({}, PrNumber{1}));
    run(github.repository_ids({}));
    run(github.head_of({}, ""));
    run(github.has_commit({}, HeadSha{}));
    run(github.post_check({}));
    run(github.post_comment({}));
    run(github.find_check({}));
    run(github.find_comment({}));
    run(github.rerun({}));
    run(github.check_access());
    const auto all = all_crash_points();
    EXPECT_EQ(passed, std::vector<std::string>(all.begin(), all.end()));
    EXPECT_EQ(std::set(all.begin(), all.end()).size(), all.size()) << "each has its own name";
    EXPECT_EQ(inner.calls.size(), kStoreVerbs.size()) << "each verb reached the store";
    for (const auto& [verb, times] : inner.calls) {
        EXPECT_EQ(times, 1) << verb;
    }
    EXPECT_EQ(inner_github.dispatched, 1);
    EXPECT_EQ(inner_github.others, 15);
}

TEST_F(Stepped, HandsArgumentsAndAnswersThrough) {
    Spawned<Result<bool>> insert(io, store.insert_delivery({.id = DeliveryId("d-1")}));
    Spawned<Result<std::size_t>> cancel(
        io, store.cancel_pending(repo("up/stream"), repo("down/one"), "gone", TimePoint{})
    );
    io.run();
    EXPECT_TRUE(insert.value().value());
    EXPECT_EQ(cancel.value().value(), 3U);
    EXPECT_EQ(inner.arguments, (std::vector<std::string>{"d-1", "up/stream", "down/one", "gone"}));
}

TEST_F(Stepped, FailsWithoutEffectBeforeTheCall) {
    orders["store.insert_delivery.before"] = Order::fail;
    orders["github.dispatch.before"] = Order::fail;
    Spawned<Result<bool>> insert(io, store.insert_delivery({}));
    orders["github.post_check.before"] = Order::fail;
    Spawned<domain::Answer> dispatch(io, github.dispatch({}));
    Spawned<ports::Posted> post(io, github.post_check({}));
    io.run();
    EXPECT_EQ(insert.value().error().code, Errc::unavailable);
    EXPECT_EQ(dispatch.value().outcome, domain::Outcome::not_sent);
    EXPECT_EQ(post.value().answer.outcome, domain::Outcome::not_sent);
    EXPECT_EQ(inner_github.others, 0);
    EXPECT_TRUE(inner.calls.empty());
    EXPECT_EQ(inner_github.dispatched, 0);
    EXPECT_FALSE(life->dead());
}

TEST_F(Stepped, CannotFailAfterTheEffect) {
    orders["store.insert_delivery.after"] = Order::fail;
    Spawned<Result<bool>> insert(io, store.insert_delivery({}));
    io.run();
    EXPECT_TRUE(insert.value());
}

TEST_F(Stepped, DiesBeforeTheEffectAndNeverReturns) {
    orders["store.settle.before"] = Order::die;
    const Spawned<Result<domain::DispatchState>> settle(io, store.settle({}));
    io.poll();
    EXPECT_FALSE(settle.done());
    EXPECT_TRUE(life->dead());
    EXPECT_TRUE(inner.calls.empty());
}

TEST_F(Stepped, DiesAfterTheEffectAndNeverReturns) {
    orders["github.dispatch.after"] = Order::die;
    const Spawned<domain::Answer> dispatch(io, github.dispatch({}));
    io.poll();
    EXPECT_FALSE(dispatch.done());
    EXPECT_EQ(inner_github.dispatched, 1);
}

TEST_F(Stepped, TakesTheWholeLifeWithIt) {
    orders["github.dispatch.after"] = Order::die;
    const Spawned<domain::Answer> dispatch(io, github.dispatch({}));
    io.poll();
    const auto asked = passed.size();
    const Spawned<Result<bool>> insert(io, store.insert_delivery({}));
    const Spawned<domain::Answer> again(io, github.dispatch({}));
    io.poll();
    EXPECT_FALSE(insert.done());
    EXPECT_FALSE(again.done());
    EXPECT_TRUE(inner.calls.empty());
    EXPECT_EQ(inner_github.dispatched, 1);
    EXPECT_EQ(passed.size(), asked) << "the dead are not asked again";
}

TEST_F(Stepped, ReportsCancelledOnceTheDeadAreCancelled) {
    orders["store.counts.before"] = Order::die;
    asio::cancellation_signal signal;
    std::optional<Result<ports::Counts>> heard;
    auto keep = [&](const std::exception_ptr&, Result<ports::Counts> value) {
        heard = std::move(value);
    };
    asio::co_spawn(io, store.counts(), asio::bind_cancellation_slot(signal.slot(), keep));
    io.poll();
    ASSERT_FALSE(heard);
    signal.emit(asio::cancellation_type::terminal);
    io.restart();
    io.poll();
    ASSERT_TRUE(heard);
    EXPECT_EQ(heard->error().code, Errc::cancelled);
}

TEST(KillHook, KillsAtTheNthPassageOfItsPoint) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto run = [](int passages) {
        const auto hook = kill_hook({.point = "store.settle.after", .passage = 3});
        for (int i = 0; i < passages; ++i) {
            static_cast<void>(hook("store.settle.before"));
            static_cast<void>(hook("store.settle.after"));
        }
    };
    run(2);
    EXPECT_EXIT(run(3), ::testing::KilledBySignal(SIGKILL), "");
}

TEST(KillHook, CountsEveryPointWhenNoneIsNamed) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto run = [](int passages) {
        const auto hook = kill_hook({.point = "", .passage = 4});
        for (int i = 0; i < passages; ++i) {
            static_cast<void>(hook(i % 2 == 0 ? "a" : "b"));
        }
    };
    run(3);
    EXPECT_EXIT(run(4), ::testing::KilledBySignal(SIGKILL), "");
}

} // namespace
} // namespace baton::sim
