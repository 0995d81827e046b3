#include "baton/relay/schedules.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/cron.hpp"
#include "baton/domain/schedule.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/operating.hpp"
#include "baton/wire/scheduled_payload.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::relay {

namespace asio = boost::asio;
using Outcome = ports::ScheduleTurned::Outcome;

namespace {

constexpr std::chrono::seconds kLookAgain{30}; // lists and suspensions change
constexpr std::chrono::minutes kAskAgain{1};   // GitHub could not say what to test
constexpr std::string_view kRef = "HEAD";      // the default branch, whatever it is called
constexpr std::size_t kPairDigits = 16;        // of a digest: enough to tell any two pairs apart

/// Made from what is due, so that nobody can send it twice: `nightly-2026-11-15T03:00Z-<pair>`.
DeliveryId delivery_of(
    const RepoName& upstream, const domain::Downstream& to, std::string_view event, TimePoint due
) {
    const auto pair = lower(upstream.text()) + " " + lower(to.repo.text());
    return DeliveryId(fmt::format(
        "{}-{}Z-{}",
        event,
        to_rfc3339(due).substr(0, std::string_view("2026-11-15T03:00").size()),
        crypto::sha256_hex(pair).substr(0, kPairDigits)
    ));
}

/// Why nobody wants it now; empty: it is wanted.
std::string objection(
    const domain::Pairing& pairing,
    const domain::Downstream& downstream,
    const std::vector<domain::Suspension>& suspensions,
    TimePoint now
) {
    if (const auto* const held = domain::suspension_of(suspensions, pairing, now)) {
        return to_text(*held);
    }
    if (domain::is_paused(downstream, now)) {
        return to_text(*downstream.pause);
    }
    return "";
}

} // namespace

Schedules::Schedules(Settings settings, Surroundings around)
    : settings_(std::move(settings))
    , around_(std::move(around))
    , bell_(around_.clock.make_bell()) {}

void Schedules::begin() {
    for (const auto& schedule : schedules()) {
        seen_[{schedule.upstream, schedule.downstream.repo}] = schedule.downstream.schedule;
    }
}

void Schedules::wake() {
    bell_->ring();
}

void Schedules::trouble(std::string detail) {
    around_.journal.note(
        ports::Trouble{.healed = true, .where = "schedules", .detail = std::move(detail)}
    );
}

asio::awaitable<void> Schedules::run() {
    for (;;) {
        const auto at_the_latest = around_.clock.now() + kLookAgain;
        if (!around_.leads()) {
            co_await bell_->wait_until(at_the_latest);
            continue;
        }
        const auto next = co_await round();
        if (!next) {
            trouble(next.error().detail);
        }
        const auto until = next ? std::min(*next, at_the_latest) : at_the_latest;
        co_await bell_->wait_until(until);
    }
}

/// Of downstreams that take part in what their schedule makes.
std::vector<Schedules::Schedule> Schedules::schedules() const {
    std::vector<Schedule> all;
    for (const auto& upstream : settings_.upstreams) {
        const auto allowlist = around_.book.find(upstream);
        if (!allowlist) {
            continue;
        }
        for (const auto& listed : allowlist->downstreams()) {
            if (listed.schedule.empty()) {
                continue;
            }
            const auto cron = domain::Cron::parse(listed.schedule); // good: the list was read
            if (cron && domain::takes_part(listed, *cron)) {
                all.push_back({.upstream = upstream, .downstream = listed, .cron = *cron});
            }
        }
    }
    return all;
}

/// A downstream that comes back to the list begins anew.
void Schedules::forget_all_but(const std::vector<Schedule>& schedules) {
    std::set<Pair> wanted;
    for (const auto& schedule : schedules) {
        wanted.emplace(schedule.upstream, schedule.downstream.repo);
    }
    std::erase_if(seen_, [&](const auto& entry) { return !wanted.contains(entry.first); });
    std::erase_if(hindered_, [&](const auto& entry) { return !wanted.contains(entry.first); });
}

asio::awaitable<Result<TimePoint>> Schedules::round() {
    const auto all = schedules();
    const auto round = std::make_shared<Round>();
    round->now = around_.clock.now();
    round->next = round->now + kLookAgain;
    forget_all_but(all);
    if (all.empty()) {
        co_return round->next;
    }
    BATON_CO_TRY(const auto marks, co_await around_.store.schedule_marks());
    for (const auto& mark : marks) {
        round->marks[{mark.upstream, mark.downstream}] = mark.last_due;
    }
    BATON_CO_TRY(round->suspensions, co_await around_.store.suspensions(round->now));
    for (const auto& schedule : all) {
        const auto turned = co_await turn(schedule, round);
        if (!turned) {
            trouble(turned.error().detail);
        }
    }
    co_return round->next;
}

asio::awaitable<Result<void>> Schedules::turn(Schedule schedule, std::shared_ptr<Round> round) {
    const auto& downstream = schedule.downstream;
    const Pair pair{schedule.upstream, downstream.repo};
    const auto mark = round->marks.find(pair);
    const auto seen = seen_.find(pair);
    const bool changed = seen == seen_.end() || seen->second != downstream.schedule;
    if (changed || mark == round->marks.end()) {
        auto text = downstream.schedule;
        round->next = std::min(round->next, schedule.cron.next_after(round->now));
        BATON_CO_CHECK(co_await excuse(std::move(schedule), round->now, "a new schedule"));
        seen_[pair] = std::move(text);
        co_return Result<void>{};
    }
    auto what = domain::turn_of(schedule.cron, mark->second, round->now);
    round->next = std::min(round->next, what.next);
    if (!what.due) {
        co_return Result<void>{};
    }
    const domain::Pairing pairing{.upstream = schedule.upstream, .downstream = downstream.repo};
    auto unwanted = objection(pairing, downstream, round->suspensions, round->now);
    if (!unwanted.empty()) {
        co_return co_await excuse(std::move(schedule), *what.due, std::move(unwanted));
    }
    const auto due = *what.due;
    BATON_CO_CHECK(co_await miss(schedule, std::move(what), round->now));
    co_return co_await fire(std::move(schedule), due, round);
}

asio::awaitable<Result<void>>
Schedules::excuse(Schedule schedule, TimePoint until, std::string reason) {
    ports::MissedRun run{
        .upstream = schedule.upstream,
        .downstream = schedule.downstream.repo,
        .due = until,
        .reason = reason,
        .now = around_.clock.now(),
        .excused = true,
    };
    BATON_CO_TRY(const bool moved, co_await around_.store.miss_schedule(std::move(run)));
    if (moved) {
        around_.journal.note(ports::ScheduleTurned{
            .upstream = schedule.upstream,
            .downstream = schedule.downstream.repo,
            .event = std::string(domain::event_of(schedule.cron)),
            .due = until,
            .outcome = Outcome::excused,
            .reason = std::move(reason),
        });
    }
    co_return Result<void>{};
}

asio::awaitable<Result<void>>
Schedules::miss(Schedule schedule, domain::ScheduleTurn turn, TimePoint now) {
    const auto hindered = hindered_.find({schedule.upstream, schedule.downstream.repo});
    const auto hindrance = hindered == hindered_.end() ? Hindrance{} : hindered->second;
    for (const auto due : turn.missed) {
        auto reason = due == hindrance.due ? hindrance.reason : "no relay was there to send it";
        if (due == turn.missed.front() && turn.missed_earlier > 0) {
            reason += fmt::format("; so were {} before it", turn.missed_earlier);
        }
        ports::MissedRun run{
            .upstream = schedule.upstream,
            .downstream = schedule.downstream.repo,
            .due = due,
            .reason = reason,
            .now = now,
        };
        BATON_CO_TRY(const bool moved, co_await around_.store.miss_schedule(std::move(run)));
        if (moved) {
            around_.journal.note(ports::ScheduleTurned{
                .upstream = schedule.upstream,
                .downstream = schedule.downstream.repo,
                .event = std::string(domain::event_of(schedule.cron)),
                .due = due,
                .outcome = Outcome::missed,
                .reason = std::move(reason),
            });
        }
    }
    co_return Result<void>{};
}

asio::awaitable<Result<HeadSha>>
Schedules::head_of(RepoName upstream, std::shared_ptr<Round> round) {
    const auto known = round->heads.find(upstream);
    if (known != round->heads.end()) {
        co_return known->second; // what is due together tests the same commit
    }
    const auto head = co_await around_.github.head_of(upstream, std::string(kRef));
    round->heads.emplace(upstream, head);
    co_return head;
}

asio::awaitable<Result<void>>
Schedules::fire(Schedule schedule, TimePoint due, std::shared_ptr<Round> round) {
    const auto head = co_await head_of(schedule.upstream, round);
    if (!head) {
        hinder(schedule, due, head.error());
        round->next = std::min(round->next, round->now + kAskAgain);
        co_return Result<void>{};
    }
    const auto& to = schedule.downstream;
    const auto event = std::string(domain::event_of(schedule.cron));
    const auto id = delivery_of(schedule.upstream, to, event, due);
    ports::ScheduledRun run{
        .delivery =
            {.id = id,
             .event = event,
             .repository = schedule.upstream.text(),
             .head = *head,
             .received_at = round->now,
             .body = wire::scheduled_payload(
                 {.upstream = schedule.upstream, .ref = std::string(kRef), .head = *head}
             )},
        .dispatch =
            {.key = {.delivery = id, .downstream = to.repo, .generation = 0},
             .upstream = schedule.upstream,
             .event_type = event,
             .head = *head,
             .level = to.level,
             .device = to.device},
        .due = due,
        .now = round->now,
    };
    BATON_CO_TRY(const bool fired, co_await around_.store.fire_schedule(std::move(run)));
    hindered_.erase({schedule.upstream, to.repo});
    if (fired) {
        around_.journal.note(ports::ScheduleTurned{
            .upstream = schedule.upstream,
            .downstream = to.repo,
            .event = event,
            .due = due,
            .outcome = Outcome::fired,
            .reason = "",
        });
        around_.on_fired();
    }
    co_return Result<void>{};
}

/// Told once for each that is due; it is tried until the next one is.
void Schedules::hinder(const Schedule& schedule, TimePoint due, const Error& error) {
    auto& hindrance = hindered_[{schedule.upstream, schedule.downstream.repo}];
    if (hindrance.due == due) {
        return;
    }
    hindrance.due = due;
    hindrance.reason = fmt::format("GitHub could not say what to test: {}", error.detail);
    trouble(fmt::format(
        "{} for {} is due since {}: {}",
        domain::event_of(schedule.cron),
        schedule.downstream.repo.text(),
        to_rfc3339(due),
        hindrance.reason
    ));
}

} // namespace baton::relay
