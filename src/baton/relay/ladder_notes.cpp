#include "baton/relay/ladder_notes.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/notification.hpp"
#include "baton/ports/levels.hpp"
#include "baton/wire/json_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::relay {

namespace {

constexpr int kCalmDays = 7; // a bad day is no news again while it is in the week that is looked at

/// None: nobody has to be told.
std::optional<domain::NotificationKind> kind_of(domain::LadderMove move) {
    switch (move) {
    case domain::LadderMove::watched:
        return domain::NotificationKind::watch;
    case domain::LadderMove::demoted:
        return domain::NotificationKind::demoted;
    case domain::LadderMove::returned:
        return domain::NotificationKind::recovered;
    case domain::LadderMove::proposed:
        return domain::NotificationKind::proposed;
    case domain::LadderMove::calmed:
    case domain::LadderMove::withdrawn:
    case domain::LadderMove::relisted:
    case domain::LadderMove::frozen:
        return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

LadderNotes::LadderNotes(RepoName upstream, TimePoint now, Millis day_length)
    : upstream_(std::move(upstream))
    , now_(now)
    , day_length_(day_length) {
    watched_.level = domain::Level::l1; // the highest of them, once there are any
}

void LadderNotes::add(
    const domain::Downstream& listed,
    const std::optional<domain::LadderStanding>& before,
    const ports::LadderOutcome& outcome
) {
    for (const auto& kept : outcome.transitions) {
        const auto kind = kind_of(kept.transition.move);
        if (!kind) {
            continue;
        }
        if (*kind == domain::NotificationKind::watch) {
            const auto last = before ? before->watched_at : std::nullopt;
            if (!last || kept.as_of - *last > kCalmDays * day_length_) {
                watch(listed, kept.transition);
            }
            continue;
        }
        const bool back = *kind == domain::NotificationKind::recovered;
        notifications_.push_back({
            .kind = *kind,
            .upstream = upstream_,
            .downstream = listed.repo,
            .level = domain::listed_level(listed),
            .oncalls = listed.oncalls,
            .reason = kept.transition.reason,
            .evidence = kept.figures,
            .actor = kept.actor,
            .since = back && before ? before->since : kept.as_of,
            .at = now_,
        });
    }
}

void LadderNotes::watch(
    const domain::Downstream& listed, const domain::LadderTransition& transition
) {
    const auto& repo = listed.repo.text();
    const auto words = fmt::format("{} ({})", repo, fmt::join(transition.rules, ", "));
    const auto entry = fmt::format(
        R"({{"downstream":{},"level":"{}","reason":{}}})",
        wire::json_quoted(repo),
        domain::name_of(domain::listed_level(listed)),
        wire::json_quoted(transition.reason)
    );
    if (listed.visibility == domain::Visibility::closed) { // the others' people shall not read it
        notifications_.push_back({
            .kind = domain::NotificationKind::watch,
            .upstream = upstream_,
            .downstream = listed.repo,
            .level = domain::listed_level(listed),
            .oncalls = listed.oncalls,
            .reason = words,
            .evidence = fmt::format(R"({{"downstreams":[{}]}})", entry),
            .actor = "baton",
            .since = now_,
            .at = now_,
        });
        return;
    }
    watched_.reason += (watched_.reason.empty() ? "" : ", ") + words;
    entries_ += (entries_.empty() ? "" : ",") + entry;
    watched_.level = std::max(watched_.level, domain::listed_level(listed));
    for (const auto& login : listed.oncalls) {
        if (std::ranges::find(watched_.oncalls, login) == watched_.oncalls.end()) {
            watched_.oncalls.push_back(login);
        }
    }
}

std::vector<domain::Notification> LadderNotes::take() && {
    if (!entries_.empty()) {
        watched_.kind = domain::NotificationKind::watch;
        watched_.upstream = upstream_;
        watched_.evidence = fmt::format(R"({{"downstreams":[{}]}})", entries_);
        watched_.actor = "baton";
        watched_.since = now_;
        watched_.at = now_;
        notifications_.push_back(std::move(watched_));
    }
    return std::move(notifications_);
}

} // namespace baton::relay
