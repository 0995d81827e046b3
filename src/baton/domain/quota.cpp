#include "baton/domain/quota.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

/// GitHub's reset wanders by a second or two within one window.
constexpr std::chrono::seconds kSameWindow{5};

/// Whoever announces more means something else.
constexpr std::chrono::hours kFarthest{24};
constexpr std::int64_t kNumberMax = 1'000'000'000;

std::optional<std::int64_t> within_bounds(std::optional<std::int64_t> number) {
    return number ? std::optional(std::clamp<std::int64_t>(*number, 0, kNumberMax)) : number;
}

std::optional<TimePoint> within_bounds(std::optional<TimePoint> when, TimePoint now) {
    return when ? std::optional(std::min<TimePoint>(*when, now + kFarthest)) : when;
}

/// How much of the limit this level leaves to those who come first.
std::int64_t reserve(Level level, std::int64_t limit) {
    constexpr std::int64_t kWhole = 100;
    switch (level) {
    case Level::l1:
        return limit * 10 / kWhole;
    case Level::l2:
        return limit * 6 / kWhole;
    case Level::l3:
        return limit * 3 / kWhole;
    case Level::l4:
        return 0;
    }
    return 0;
}

std::size_t at_least_none(std::int64_t number) {
    return number > 0 ? static_cast<std::size_t>(number) : 0;
}

} // namespace

std::string account_of(const RepoName& repo) {
    return lower(repo.owner());
}

double Quota::points_at(TimePoint now) const {
    constexpr double kMinute = 60'000;
    constexpr double kAtOnce = 0.1; // of a minute's points; the rest comes as the minute goes by
    const auto since = std::max<std::int64_t>((now - paced_at_).count(), 0);
    const auto part = static_cast<double>(pace_) / static_cast<double>(replicas_);
    const auto most = std::max(static_cast<double>(RequestWeight::changes), part * kAtOnce);
    const auto gained = std::max(part - most, part / 2) * static_cast<double>(since) / kMinute;
    return std::min(most, points_ + gained);
}

void Quota::began(RequestWeight weight, TimePoint now) {
    ++in_flight_;
    if (pace_ > 0) {
        points_ = std::max(0.0, points_at(now) - static_cast<double>(weight));
        paced_at_ = now;
    }
}

void Quota::ended(const QuotaNews& news, TimePoint now) {
    in_flight_ -= in_flight_ > 0 ? 1 : 0;
    note(news, now);
}

void Quota::share(std::size_t replicas) {
    replicas_ = replicas;
    elsewhere_ = 0;
}

void Quota::hear(const QuotaView& other, TimePoint now) {
    elsewhere_ += std::min<std::size_t>(other.in_flight, kNumberMax);
    note(
        {.answered = other.reset_at.has_value(),
         .limit = other.limit,
         .remaining = other.remaining,
         .reset_at = other.reset_at,
         .held_until = other.held_until},
        now
    );
}

void Quota::note(const QuotaNews& news, TimePoint now) {
    answered_ = answered_ || news.answered;
    if (const auto until = within_bounds(news.held_until, now)) {
        held_until_ = std::max(held_until_.value_or(TimePoint{}), *until);
    }
    const auto remaining = within_bounds(news.remaining);
    const auto reset_at = within_bounds(news.reset_at, now);
    if (!remaining || !reset_at || *reset_at <= now) {
        return;
    }
    const bool same = window_is_open(now) && *reset_at <= *reset_at_ + kSameWindow;
    if (same && *reset_at < *reset_at_ - kSameWindow) {
        return; // an answer about a window that is over
    }
    limit_ = news.limit ? within_bounds(news.limit) : limit_;
    // Answers overtake each other: within one window the smallest number is the newest.
    remaining_ = same ? std::min(remaining_.value_or(*remaining), *remaining) : *remaining;
    reset_at_ = reset_at;
}

std::optional<std::int64_t> Quota::left(TimePoint now) const {
    return window_is_open(now) ? remaining_ : limit_; // a new window begins full
}

std::optional<TimePoint> Quota::held_until(TimePoint now) const {
    if (held_until_ && now < *held_until_) {
        return held_until_;
    }
    if (window_is_open(now) && remaining_ == 0) {
        return reset_at_;
    }
    return std::nullopt;
}

std::size_t Quota::room(Level level, TimePoint now, std::size_t promised) const {
    if (held_until(now)) {
        return 0;
    }
    const auto spoken_for = std::max(in_flight_, promised) + elsewhere_;
    if (!answered_) {
        return (kProbesMax - std::min(kProbesMax, spoken_for)) / replicas_;
    }
    auto room = std::numeric_limits<std::size_t>::max();
    if (const auto remaining = left(now)) {
        const auto under_way = static_cast<std::int64_t>(spoken_for);
        room = at_least_none(*remaining - under_way - reserve(level, limit_.value_or(0)));
        room /= replicas_; // others take their part before we hear of it
    }
    if (pace_ > 0) {
        const auto dispatches = points_at(now) / static_cast<double>(RequestWeight::changes);
        // Only what has begun has taken its points.
        const auto to_begin = static_cast<std::int64_t>(promised - std::min(promised, in_flight_));
        room = std::min(room, at_least_none(static_cast<std::int64_t>(dispatches) - to_begin));
    }
    return room;
}

QuotaView Quota::view(std::string account, TimePoint now) const {
    const bool open = window_is_open(now);
    return {
        .account = std::move(account),
        .limit = limit_,
        .remaining = left(now),
        .reset_at = open ? reset_at_ : std::nullopt,
        .held_until = held_until(now),
        .in_flight = in_flight_,
    };
}

Quota& QuotaBook::of(const std::string& account) {
    const auto [found, is_new] = quotas_.try_emplace(account, pace_);
    if (is_new) {
        found->second.share(replicas_);
    }
    return found->second;
}

void QuotaBook::hear(const OthersQuotas& others, TimePoint now) {
    replicas_ = others.replicas + 1;
    for (auto& [account, quota] : quotas_) {
        quota.share(replicas_);
    }
    for (const auto& view : others.quotas) {
        of(view.account).hear(view, now);
    }
}

const Quota* QuotaBook::find(const std::string& account) const {
    const auto found = quotas_.find(account);
    return found == quotas_.end() ? nullptr : &found->second;
}

std::vector<QuotaView> QuotaBook::views(TimePoint now) const {
    std::vector<QuotaView> views;
    for (const auto& [account, quota] : quotas_) {
        views.push_back(quota.view(account, now));
    }
    return views;
}

std::size_t QuotaBook::in_flight() const {
    std::size_t all = 0;
    for (const auto& [account, quota] : quotas_) {
        all += quota.view({}, {}).in_flight;
    }
    return all;
}

} // namespace baton::domain
