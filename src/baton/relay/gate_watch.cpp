#include "baton/relay/gate_watch.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/breaker.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/plan_looks.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/notices.hpp"
#include "baton/ports/operating.hpp"
#include "baton/wire/scheduled_payload.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds kEveryMost{30};
constexpr std::chrono::seconds kEveryLeast{1};
constexpr std::size_t kRunsSeen = 50;
constexpr std::string_view kRef = "HEAD";
constexpr std::string_view kActor = "baton";

bool is_canary(const domain::Run& run) {
    return run.dispatch.event_type == domain::kCanaryEvent;
}

/// The branch that its newest pull requests are for.
std::string base_of(const std::vector<domain::Run>& runs) {
    for (const auto& run : runs) {
        if (run.dispatch.pr && !run.dispatch.ref.empty()) {
            return run.dispatch.ref;
        }
    }
    return {};
}

} // namespace

GateWatch::GateWatch(Settings settings, Surroundings around)
    : settings_(std::move(settings))
    , around_(std::move(around))
    , rights_({.github = around_.github, .clock = around_.clock, .journal = around_.journal}) {}

void GateWatch::trouble(std::string detail) {
    around_.journal.note(
        ports::Trouble{.healed = true, .where = "gate watch", .detail = std::move(detail)}
    );
}

asio::awaitable<void> GateWatch::run() {
    const auto every = std::clamp<Millis>(settings_.rules.start / 10, kEveryLeast, kEveryMost);
    for (;;) {
        co_await around_.clock.sleep_until(around_.clock.now() + every);
        if (!around_.leads()) {
            continue;
        }
        const auto done = co_await round();
        if (!done) {
            trouble(done.error().detail);
        }
    }
}

asio::awaitable<Result<void>> GateWatch::round() {
    BATON_CO_TRY(const auto suspensions, co_await around_.store.gate_suspensions());
    for (const auto& upstream : settings_.upstreams) {
        const auto allowlist = around_.book.find(upstream);
        if (!allowlist) {
            continue;
        }
        for (const auto& listed : allowlist->downstreams()) {
            if (domain::shows_checks(listed) && settings_.canary_every > Millis{0}) {
                BATON_CO_CHECK(co_await send_canary(upstream, listed));
            }
            if (domain::policy_of(listed.level).block_pr) {
                BATON_CO_CHECK(co_await watch(upstream, listed, suspensions));
            }
        }
    }
    co_return Result<void>{};
}

asio::awaitable<Result<void>> GateWatch::watch(
    RepoName upstream, domain::Downstream downstream, std::vector<domain::GateSuspension> all
) {
    BATON_CO_CHECK(co_await note_concern(upstream, downstream));
    auto in_force =
        domain::suspension_of(all, {.upstream = upstream, .downstream = downstream.repo});
    BATON_CO_TRY(auto facts, co_await facts_about(upstream, downstream, std::move(in_force)));
    const auto now = around_.clock.now();
    facts.paused = domain::is_paused(downstream, now);
    facts.resumed_at = note_resumed({upstream, downstream.repo}, facts.suspension.has_value(), now);
    const auto verdict = domain::judge_breaker(facts, settings_.rules, now);
    using Move = domain::BreakerVerdict::Move;
    bool moved = false;
    if (verdict.move == Move::suspend) {
        domain::GateSuspension suspension{
            .upstream = upstream,
            .downstream = downstream.repo,
            .since = now,
            .reason = verdict.reason,
            .evidence = verdict.evidence,
            .by_hand = false,
            .actor = std::string(kActor),
        };
        BATON_CO_TRY(moved, co_await around_.store.suspend_gate(std::move(suspension)));
    } else if (verdict.move == Move::resume) {
        ports::GateResumption resumption{
            .upstream = upstream,
            .downstream = downstream.repo,
            .reason = verdict.reason,
            .by_hand = false,
            .actor = std::string(kActor),
            .now = now,
        };
        BATON_CO_TRY(moved, co_await around_.store.resume_gate(std::move(resumption)));
    }
    if (moved) {
        around_.journal.note(ports::GateMoved{
            .upstream = upstream,
            .downstream = downstream.repo,
            .suspended = verdict.move == Move::suspend,
            .reason = verdict.reason,
            .oncalls = downstream.oncalls,
        });
        around_.on_moved();
    }
    co_return Result<void>{};
}

/// Before anything is decided about it, so that whoever suspends it, a person too, has it told to
/// the right people.
asio::awaitable<Result<void>>
GateWatch::note_concern(RepoName upstream, domain::Downstream downstream) {
    const ports::Concern concern{
        .upstream = upstream,
        .downstream = downstream.repo,
        .level = downstream.level,
        .oncalls = std::move(downstream.oncalls),
    };
    const Pair pair{concern.upstream, concern.downstream};
    const auto known = concerns_.find(pair);
    if (around_.notices == nullptr || (known != concerns_.end() && known->second == concern)) {
        co_return Result<void>{};
    }
    BATON_CO_CHECK(co_await around_.notices->note_concern(concern));
    concerns_.insert_or_assign(pair, concern);
    co_return Result<void>{};
}

/// What was held against a downstream before its suspension was lifted is spent.
std::optional<TimePoint> GateWatch::note_resumed(Pair pair, bool suspended, TimePoint now) {
    if (suspended) {
        suspended_.insert(std::move(pair));
        return std::nullopt;
    }
    if (suspended_.erase(pair) > 0) {
        resumed_at_[pair] = now;
    }
    const auto found = resumed_at_.find(pair);
    return found == resumed_at_.end() ? std::nullopt : std::optional(found->second);
}

asio::awaitable<Result<domain::BreakerFacts>> GateWatch::facts_about(
    RepoName upstream,
    domain::Downstream downstream,
    std::optional<domain::GateSuspension> suspension
) {
    domain::BreakerFacts facts;
    facts.suspension = std::move(suspension);
    facts.upstream = upstream;
    facts.downstream = downstream.repo;
    ports::RunsQuery query{
        .upstream = upstream,
        .downstream = downstream.repo,
        .pr = std::nullopt,
        .head = {},
        .event_types = {"pull_request", "push", std::string(domain::kCanaryEvent)},
        .ref = {},
        .limit = kRunsSeen,
    };
    BATON_CO_TRY(auto runs, co_await around_.store.runs(std::move(query)));
    facts.base_ref = base_of(runs);
    if (std::ranges::none_of(runs, [](const domain::Run& run) {
            return is_canary(run) && !run.jobs.empty();
        })) {
        std::erase_if(runs, is_canary); // it does not know them: that it starts none says nothing
    }
    for (auto& run : runs) {
        facts.recent.push_back({.run = std::move(run)});
    }
    co_return co_await with_authors(std::move(facts));
}

/// Who wrote each change, and whether anybody still waits for it. Rights are asked for only where
/// they matter.
asio::awaitable<Result<domain::BreakerFacts>> GateWatch::with_authors(domain::BreakerFacts facts) {
    std::map<PrNumber, std::optional<domain::PullRequest>> pulls;
    std::set<Login> people;
    for (const auto& seen : facts.recent) {
        const auto pr = seen.run.dispatch.pr;
        if (!pr || pulls.contains(*pr)) {
            continue;
        }
        ports::PullRequestQuery which{.upstream = facts.upstream, .number = *pr};
        BATON_CO_TRY(
            const auto pull_request, co_await around_.store.pull_request(std::move(which))
        );
        pulls[*pr] = pull_request;
    }
    for (auto& seen : facts.recent) {
        const auto& dispatch = seen.run.dispatch;
        const auto pull = dispatch.pr ? pulls[*dispatch.pr] : std::nullopt;
        if (!pull) {
            continue;
        }
        seen.author = pull->author;
        seen.overtaken = !pull->open || pull->head != dispatch.head;
        if (domain::author_matters(seen.run, facts.suspension.has_value())) {
            people.insert(seen.author);
        }
    }
    people.erase(Login{});
    domain::Rights rights;
    if (!people.empty()) {
        rights = co_await rights_.rights_of(facts.upstream, people);
    }
    for (auto& seen : facts.recent) {
        seen.author_writes =
            rights.of(seen.author).value_or(domain::Permission::none) >= domain::Permission::write;
    }
    co_return facts;
}

/// One per downstream and span of time: its number is in the delivery's name, so that a crash sends
/// no second one.
asio::awaitable<Result<void>>
GateWatch::send_canary(RepoName upstream, domain::Downstream downstream) {
    const auto now = around_.clock.now();
    if (domain::is_paused(downstream, now)) {
        co_return Result<void>{};
    }
    const auto span = now.time_since_epoch() / settings_.canary_every;
    const DeliveryId id(fmt::format("canary-{}-{}-{}", upstream.key(), downstream.repo.key(), span)
    );
    BATON_CO_TRY(const auto known, co_await around_.store.dispatches_to(id, downstream.repo));
    if (!known.empty()) {
        co_return Result<void>{};
    }
    const auto head = co_await around_.github.head_of(upstream, std::string(kRef));
    if (!head) {
        co_return Result<void>{}; // no canary without GitHub; the next round tries again
    }
    ports::TestDispatch test{
        .delivery =
            {.id = id,
             .event = std::string(domain::kCanaryEvent),
             .repository = upstream.text(),
             .head = *head,
             .received_at = now,
             .body = wire::scheduled_payload(
                 {.upstream = upstream, .ref = std::string(kRef), .head = *head}
             )},
        .dispatch =
            {.key = {.delivery = id, .downstream = downstream.repo, .generation = 0},
             .upstream = upstream,
             .event_type = std::string(domain::kCanaryEvent),
             .head = *head,
             .level = downstream.level,
             .device = downstream.device},
        .now = now,
        .actor = std::string(kActor),
    };
    const auto sent = co_await around_.store.insert_test(std::move(test));
    if (!sent && sent.error().code != Errc::conflict) {
        co_return fail(sent.error());
    }
    around_.on_dispatched();
    co_return Result<void>{};
}

} // namespace baton::relay
