#include "sim/world.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/sim/virtual_clock.hpp"
#include "baton/wire/allowlist.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/life.hpp"
#include "support/run_coroutine.hpp"

namespace baton::test {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint kStart = from_ms(1'800'000'000'000);

constexpr std::string_view kAllowlist = R"(
L1:
  - one/plain
  - one/main-only: {push_refs: [main]}
L2:
  - two/busy: {max_concurrent: 3, run_timeout: 1h, oncalls: [ann]}
  - two/careful: {trust: approved}
  - two/strict: {trust: write}
L3:
  npu:
    three/on-label: {trigger: label}
    three/backend: [bob]
L4:
  - four/gate: {device: gpu, oncalls: [fay]}
)";

domain::Allowlist read(std::string_view text) {
    auto reading = wire::read_allowlist(text);
    if (!reading.allowlist) {
        throw std::logic_error("the world's allowlist does not read");
    }
    return *std::move(reading.allowlist);
}

sim::GithubModel::Options model_options(std::uint64_t seed) {
    sim::GithubModel::Options options;
    options.seed = seed;
    options.webhooks_max = 100'000;
    return options;
}

} // namespace

asio::awaitable<Result<std::optional<ports::TextVersion>>> World::ListedText::fetch(std::string mark
) {
    if (mark == "1") {
        co_return std::nullopt;
    }
    co_return ports::TextVersion{.text = text_, .mark = "1"};
}

World::World(std::uint64_t seed, Swarm swarm)
    : swarm_(swarm)
    , clock_(kStart)
    , people_(sim::seed_for(seed, "people"))
    , steps_(sim::seed_for(seed, "steps"))
    , network_(sim::seed_for(seed, "network"))
    , relay_chance_(sim::seed_for(seed, "relay"))
    , callback_chance_(sim::seed_for(seed, "callbacks"))
    , github_model_(model_options(seed))
    , runs_(seed)
    , downstreams_(runs_, seed)
    , faults_(seed)
    , source_(std::string(kAllowlist))
    , allowlist_(read(kAllowlist)) {
    journal_.announce_trouble(""
    ); // checkers look at the end; on the way there is trouble on purpose
    EXPECT_TRUE(github_model_.create_repo({.name = kUpstream, .now = kStart}));
    for (const auto& downstream : allowlist_.downstreams()) {
        EXPECT_TRUE(github_model_.create_repo({.name = downstream.repo, .now = kStart}));
    }
    EXPECT_TRUE(
        github_model_.set_permission(kUpstream, Login("maintainer"), domain::Permission::write)
    );
    EXPECT_TRUE(
        github_model_.set_permission(kUpstream, Login("triager"), domain::Permission::triage)
    );
    make_trouble();
    if (swarm.callbacks) {
        cast_downstreams();
    }
    born();
}

World::~World() {
    buried();
    bool ended = false;
    auto close = [](async::TaskGroup& office, bool& done) -> asio::awaitable<void> {
        co_await office.join();
        done = true;
    };
    post_office_.cancel();
    undertaker_.spawn(close(post_office_, ended));
    sim::run_until_quiet(io_, clock_, {.until = clock_.now(), .done = [&] { return ended; }});
}

void World::heal() {
    faults_.clear();
    healed_ = true;
}

std::vector<DeliveryId> World::undelivered() {
    std::vector<DeliveryId> missing;
    for (auto it = undelivered_.begin(); it != undelivered_.end();) {
        asio::io_context aside;
        if (test::run(aside, store_.body_of(it->first))->has_value()) {
            accepted_.insert(it->first);
            it = undelivered_.erase(it);
        } else {
            missing.push_back(it->first);
            ++it;
        }
    }
    return missing;
}

bool World::is_given_up(const DeliveryId& id) {
    asio::io_context aside;
    const auto astray = **test::run(aside, store_.hooks_astray(100'000));
    return std::ranges::any_of(astray, [&](const domain::SentHook& hook) {
        return hook.newest.delivery == id && hook.asked == domain::kAskedMax;
    });
}

bool World::chance(double probability) {
    return probability > 0 && people_.draw().unit() < probability;
}

sim::Step::Order World::at_step(std::string_view point) {
    if (swarm_.crash > 0 && steps_.draw().unit() < swarm_.crash) {
        return sim::Step::Order::die;
    }
    const bool begins = point.ends_with(".before");
    const bool of_store = point.starts_with("store.");
    const auto number = !begins ? 0 : (of_store ? ++store_calls_ : ++github_calls_);
    const auto failing = of_store ? swarm_.failing_store_call : swarm_.failing_github_call;
    if (begins && number == failing) {
        return sim::Step::Order::fail;
    }
    if (begins && of_store && swarm_.store_failure > 0 &&
        steps_.draw().unit() < swarm_.store_failure) {
        return sim::Step::Order::fail;
    }
    return sim::Step::Order::go_on;
}

/// A relay starts as the real one does: it is tried until the store lets it.
void World::born() {
    for (;;) {
        life_ = std::make_unique<Life>(*this, fmt::format("life-{}", ++lives_));
        std::optional<bool> started;
        auto begin = [](relay::Relay& relay, std::optional<bool>& result) -> asio::awaitable<void> {
            const auto outcome = co_await relay.start();
            result = outcome.has_value();
        };
        life_->deliveries.spawn(begin(life_->relay, started));
        sim::run_until_quiet(io_, clock_, {.until = clock_.now() + 1min, .done = [&] {
                                               return started.has_value() ||
                                                      life_->incarnation->dead();
                                           }});
        if (started.value_or(false) && !life_->incarnation->dead()) {
            return;
        }
        buried();
    }
}

void World::buried() {
    if (!life_) {
        return;
    }
    crashes_ += life_->incarnation->dead() ? 1 : 0;
    requests_while_limited_ += life_->github_inner.requests_while_limited();
    limit_answers_ += life_->github_inner.limit_answers();
    life_->incarnation->die(); // whatever still runs on its way out has no effect
    bool ended = false;
    life_->deliveries.cancel();
    auto end = [](Life& life, bool& done) -> asio::awaitable<void> {
        co_await life.relay.abandon();
        co_await life.deliveries.join();
        done = true;
    };
    undertaker_.spawn(end(*life_, ended));
    sim::run_until_quiet(io_, clock_, {.until = clock_.now(), .done = [&] { return ended; }});
    EXPECT_TRUE(ended) << "the relay does not stop";
    life_.reset();
    for (const auto& [id, letter] : std::exchange(at_the_door_, {})) {
        log_try(letter, 502); // nobody answered any more
    }
    hang_up();
}

void World::run(TimePoint until, const std::function<bool()>& done) {
    while (clock_.now() < until && !done()) {
        sim::run_until_quiet(io_, clock_, {.until = until, .done = [&] {
                                               post_redeliveries();
                                               return life_->incarnation->dead() || done();
                                           }});
        if (life_->incarnation->dead()) {
            buried();
            clock_.advance(Millis(people_.draw().below(120'000))); // nobody is there for a while
            born();
        } else if (!done()) {
            clock_.advance(Millis(std::max<Millis::rep>(
                1, (std::min(until, clock_.now() + 1s) - clock_.now()).count()
            )));
        }
    }
}

bool World::quiet() {
    if (!std::ranges::all_of(undelivered(), [this](const auto& id) { return is_given_up(id); })) {
        return false;
    }
    const auto all = counts();
    std::size_t pending = 0;
    for (const auto& [state, count] : all.dispatches) {
        pending += state == domain::DispatchState::pending ? count : 0;
    }
    asio::io_context aside;
    const auto checks = **test::run(aside, store_.check_counts());
    return all.to_plan == 0 && pending == 0 && downstreams_.open() == 0 && checks.looks == 0 &&
           checks.waiting == 0 && checks.reruns == 0;
}

void World::pass(Millis how_long) {
    run(clock_.now() + how_long, [] { return false; });
}

void World::away(Millis how_long, int actions) {
    buried();
    for (int i = 0; i < actions; ++i) {
        act_once();
        sim::run_until_quiet(io_, clock_, {.until = clock_.now() + how_long / actions, .done = [] {
                                               return false;
                                           }});
        clock_.advance(how_long / actions);
    }
    born();
}

void World::settle(int hours) {
    TimePoint looked{};
    bool at_rest = false;
    run(clock_.now() + std::chrono::hours(hours), [&] {
        if (clock_.now() - looked >= 1s) { // once per virtual second is often enough
            looked = clock_.now();
            at_rest = quiet();
        }
        return at_rest;
    });
}

std::size_t World::check_calls() const {
    std::size_t calls = 0;
    for (const auto& [route, count] : life_->github_inner.requests()) {
        const bool about = route == "create_check" || route == "update_check";
        calls += about || route == "check_runs" ? count : 0;
    }
    return calls;
}

std::optional<domain::GateSuspension> World::suspension_of(const std::string& downstream) {
    asio::io_context aside;
    const auto all = **test::run(aside, store_.gate_suspensions());
    for (const auto& one : all) {
        if (one.downstream == *RepoName::parse(downstream)) {
            return one;
        }
    }
    return std::nullopt;
}

std::vector<domain::Rerun> World::reruns_on(const HeadSha& head, PrNumber number) {
    asio::io_context aside;
    return **test::run(
        aside, store_.reruns_of({.upstream = kUpstream, .pr = number, .head = head})
    );
}

ports::Counts World::counts() {
    asio::io_context aside;
    return **test::run(aside, store_.counts());
}

std::size_t World::count_of(domain::DispatchState state) {
    for (const auto& [counted, number] : counts().dispatches) {
        if (counted == state) {
            return number;
        }
    }
    return 0;
}

std::optional<domain::PullRequest> World::pull_request(PrNumber number) {
    asio::io_context aside;
    return **test::run(aside, store_.pull_request({.upstream = kUpstream, .number = number}));
}

bool World::was_told(const std::string& downstream, const HeadSha& head) {
    const auto received =
        github_model_.dispatches().find({.repo = *RepoName::parse(downstream), .limit = 100'000});
    return std::ranges::any_of(received, [&](const sim::ReceivedDispatch& one) {
        return one.body.find(head.text()) != std::string::npos;
    });
}

ports::DeliveryHistory World::history(const DeliveryId& id) {
    asio::io_context aside;
    auto found = test::run(aside, store_.delivery_history(id));
    EXPECT_TRUE(found && found->has_value()) << "delivery " << id.text() << " is not in the store";
    return found && *found ? **found : ports::DeliveryHistory{};
}

std::vector<ports::SigningKey> World::signing_keys() {
    asio::io_context aside;
    return **test::run(aside, store_.signing_keys());
}

std::string World::chronicle() {
    std::string text = fmt::format("crashes {}\n", crashes_);
    for (const auto& id : accepted_) {
        for (const auto& one : history(id).dispatches) {
            text += fmt::format(
                "{} {} {} attempts {} rested {}\n",
                id.text(),
                one.dispatch.key.downstream.text(),
                domain::name_of(one.dispatch.state),
                one.dispatch.attempts,
                one.dispatch.sent_at ? to_rfc3339(*one.dispatch.sent_at) : "unsent"
            );
        }
    }
    for (const auto& received : github_model_.dispatches().find({.limit = 1'000'000})) {
        text += fmt::format(
            "received {} {} {}\n",
            to_rfc3339(received.at),
            received.repo.text(),
            received.delivery_id
        );
    }
    for (const auto& told : told_) {
        text += fmt::format(
            "reported {} run {} {} {}: {}\n",
            told.report.run.repo.text(),
            told.report.run.id,
            told.report.step.job,
            told.report.step.conclusion,
            told.answer.status
        );
    }
    return text;
}

} // namespace baton::test
