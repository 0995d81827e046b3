#include "baton/app/demo_watch.hpp"

#include "baton/app/demo_text.hpp"
#include "baton/app/demo_view.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace baton::app::demo {

namespace {

constexpr std::chrono::seconds kRateWindow{3};
constexpr std::size_t kAgesMax = 501;
constexpr std::size_t kHappeningsMax = 64;
constexpr std::size_t kAnnouncedMax = 10'000;

std::string consequence(const ports::DeliveryPlanned& planned) {
    std::string out =
        planned.created == 1 ? "1 dispatch" : fmt::format("{} dispatches", planned.created);
    if (planned.superseded > 0) {
        out += fmt::format(", {} older superseded", planned.superseded);
    }
    if (planned.cancelled > 0) {
        out += fmt::format(", {} waiting cancelled", planned.cancelled);
    }
    return out;
}

std::string_view without(std::string_view text, std::string_view beginning) {
    return text.starts_with(beginning) ? text.substr(beginning.size()) : text;
}

} // namespace

void Watch::note(const ports::JournalEntry& entry) {
    const std::scoped_lock lock(mutex_);
    std::visit([this](const auto& one) { hear(one); }, entry);
}

void Watch::hear(const ports::WebhookAnswered& entry) {
    auto& webhooks = seen_.webhooks;
    if (entry.outcome == "accepted") {
        ++webhooks.accepted;
    } else if (entry.outcome == "duplicate") {
        ++webhooks.duplicate;
    } else if (entry.outcome == "ignored") {
        ++ignored_[std::string(without(entry.reason, "repository is "))];
    } else {
        ++webhooks.not_taken;
    }
}

void Watch::hear(const ports::CallbackAnswered&) {}

void Watch::hear(const ports::DeliveryPlanned& entry) {
    const auto found = announced_.find(entry.delivery);
    if (found == announced_.end()) {
        return; // planned once before: rights had to be asked for
    }
    const bool any = entry.created + entry.superseded + entry.cancelled > 0;
    tell_locked(
        any ? fmt::format("{}: {}", found->second, consequence(entry)) : found->second, false
    );
    announced_.erase(found);
}

void Watch::hear(const ports::DispatchAttempted& entry) {
    auto& facts = seen_.downstreams[entry.key.downstream];
    facts.last = entry.answer.outcome;
    facts.attempt = entry.attempt;
    facts.next_try = entry.next_try;
    facts.retries += entry.attempt > 1 ? 1 : 0;
    if (entry.answer.outcome == domain::Outcome::unknown) {
        ++facts.unknown;
        facts.trouble = entry.answer.status;
    }
    if (entry.state == domain::DispatchState::sent) {
        facts.took = entry.took;
        sent_.push_back(clock_.now());
        while (sent_.front() + kRateWindow < sent_.back()) {
            sent_.pop_front();
        }
        ages_.push_back(entry.age);
        if (ages_.size() > kAgesMax) {
            ages_.pop_front();
        }
    }
    if (entry.state == domain::DispatchState::failed) {
        facts.failure = entry.reason;
        if (facts.failed++ == 0) {
            tell_locked(
                fmt::format("{} failed: {}", entry.key.downstream.text(), entry.reason), true
            );
        }
    }
    if (entry.answer.outcome == domain::Outcome::throttled && entry.answer.not_before) {
        const std::string owner(entry.key.downstream.owner());
        auto& until = seen_.limited[owner];
        const auto now = clock_.now();
        if (until < now) {
            tell_locked(
                fmt::format(
                    "GitHub announces a limit for {}: it alone waits {} as told",
                    owner,
                    short_text(std::max(*entry.answer.not_before - now, Millis{0}))
                ),
                true
            );
        }
        until = std::max(until, *entry.answer.not_before);
    }
}

void Watch::hear(const ports::AllowlistInForce& entry) {
    seen_.allowlist_in_force = true;
    tell_locked(
        fmt::format(
            "allowlist of {} in force: {} downstreams", entry.upstream.text(), entry.downstreams
        ),
        true
    );
}

void Watch::hear(const ports::AllowlistRefused& entry) {
    tell_locked(
        fmt::format(
            "allowlist refused, the last good one stays: {}",
            without(entry.detail, entry.source + ":") // from the line number on
        ),
        true
    );
}

void Watch::hear(const ports::HookLogWalked& entry) {
    if (entry.asked > 0) {
        tell_locked(
            fmt::format(
                "GitHub's log shows {} webhooks that never arrived: asked for again", entry.asked
            ),
            true
        );
    }
}

void Watch::hear(const ports::DayCompleted& /*entry*/) {}

void Watch::hear(const ports::GateMoved& entry) {
    seen_.gate_turns.push_back(
        {.downstream = entry.downstream,
         .suspended = entry.suspended,
         .at = since_start(),
         .reason = entry.reason}
    );
    tell_locked(
        entry.suspended
            ? fmt::format("{} no longer holds up merges: {}", entry.downstream.text(), entry.reason)
            : fmt::format("{} counts in the gate again: {}", entry.downstream.text(), entry.reason),
        true
    );
}

void Watch::hear(const ports::LadderMoved& entry) {
    using domain::LadderMove;
    const auto move = domain::ladder_move_named(entry.move);
    if (move != LadderMove::demoted && move != LadderMove::returned) { // the page tells of those
        return;
    }
    auto sentence = fmt::format(
        "{} is {} {} to {}: {}",
        entry.downstream.text(),
        entry.to < entry.from ? "lowered from" : "raised again from",
        domain::name_of(entry.from),
        domain::name_of(entry.to),
        entry.reason
    );
    seen_.level_turns.push_back(fmt::format("level at {}: {}", clock_text(since_start()), sentence)
    );
    tell_locked(std::move(sentence), true);
}

void Watch::hear(const ports::Trouble& entry) {
    tell_locked(fmt::format("{}: {}", entry.where, entry.detail), true);
}

void Watch::hear(const ports::LifeTurn& /*entry*/) {}

void Watch::announce(const DeliveryId& delivery, std::string what) {
    const std::scoped_lock lock(mutex_);
    if (announced_.size() < kAnnouncedMax) {
        announced_[delivery] = std::move(what);
    }
}

void Watch::start_at(TimePoint when) {
    const std::scoped_lock lock(mutex_);
    started_ = when;
}

void Watch::tell(std::string what, bool trouble) {
    const std::scoped_lock lock(mutex_);
    tell_locked(std::move(what), trouble);
}

void Watch::tell_locked(std::string what, bool trouble) {
    seen_.happenings.push_back({.at = since_start(), .text = std::move(what), .trouble = trouble});
    if (seen_.happenings.size() > kHappeningsMax) {
        seen_.happenings.pop_front();
    }
}

Millis Watch::since_start() const {
    return started_ ? clock_.now() - *started_ : Millis{0};
}

Seen Watch::seen() const {
    const std::scoped_lock lock(mutex_);
    auto out = seen_;
    out.webhooks.ignored.assign(ignored_.begin(), ignored_.end());
    const auto from = clock_.now() - kRateWindow;
    const auto recent = std::ranges::count_if(sent_, [&](TimePoint at) { return at >= from; });
    out.sent_per_second = static_cast<double>(recent) / static_cast<double>(kRateWindow.count());
    if (!ages_.empty()) {
        std::vector<Millis> sorted(ages_.begin(), ages_.end());
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::ranges::nth_element(sorted, middle);
        out.median_age = *middle;
    }
    return out;
}

} // namespace baton::app::demo
