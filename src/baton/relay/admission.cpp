#include "baton/relay/admission.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/level.hpp"
#include "baton/ports/operating.hpp"
#include "baton/relay/callback_refusal.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

constexpr std::string_view kFirstUse = "first callback";

tl::unexpected<CallbackRefusal> list_not_read() {
    return refuse(
        Errc::unavailable, "allowlist not read", "The allowlist was not read yet; send it again"
    );
}

} // namespace

asio::awaitable<tl::expected<domain::Level, CallbackRefusal>> Admission::admit(domain::Caller caller
) {
    const auto level = best_level_of(caller.repo);
    if (!level) {
        co_return level; // before the pin: strangers are not remembered
    }
    auto pinned = co_await check_pin(caller);
    if (!pinned) {
        co_return tl::unexpected(std::move(pinned).error());
    }
    if (*level > domain::Level::l1) {
        auto turn = take_turn(caller.repo);
        if (!turn) {
            co_return tl::unexpected(std::move(turn).error());
        }
    }
    co_return level;
}

/// A name is borrowed, a number is not: who comes under a known name with other numbers is somebody
/// else.
asio::awaitable<tl::expected<void, CallbackRefusal>> Admission::check_pin(domain::Caller caller) {
    if (caller.provider != domain::Provider::github_actions || !caller.ids) {
        co_return tl::expected<void, CallbackRefusal>{};
    }
    auto pinned = co_await around_.store.pin_of(caller.repo);
    if (pinned && !*pinned) {
        ports::Pin pin{
            .repo = caller.repo,
            .repository_id = caller.ids->repository,
            .owner_id = caller.ids->owner,
            .pinned_at = around_.clock.now(),
            .actor = std::string(kFirstUse),
        };
        auto first = co_await around_.store.pin_first(std::move(pin));
        pinned = first ? Result<std::optional<ports::Pin>>(*std::move(first)) : fail(first.error());
    }
    if (!pinned) {
        co_return store_trouble(pinned.error());
    }
    const auto& pin = **pinned;
    if (pin.repository_id == caller.ids->repository && pin.owner_id == caller.ids->owner) {
        co_return tl::expected<void, CallbackRefusal>{};
    }
    co_return refuse(
        Errc::forbidden,
        "other repository",
        fmt::format(
            "{} is known here as repository {} of owner {}, and the token names {} of {}; an admin "
            "of the relay has to run: baton downstream repin {}",
            caller.repo.text(),
            pin.repository_id,
            pin.owner_id,
            caller.ids->repository,
            caller.ids->owner,
            caller.repo.text()
        )
    );
}

tl::expected<domain::Level, CallbackRefusal> Admission::best_level_of(const RepoName& downstream
) const {
    std::optional<domain::Level> best;
    bool all_read = true;
    for (const auto& upstream : settings_.upstreams) {
        const auto allowlist = around_.book.find(upstream);
        all_read = all_read && allowlist != nullptr;
        const auto* const listed = allowlist ? allowlist->find(downstream) : nullptr;
        if (listed != nullptr && (!best || listed->level > *best)) {
            best = listed->level;
        }
    }
    if (best && (all_read || *best > domain::Level::l1)) {
        return *best;
    }
    if (!all_read) { // a list that is still to be read may name it, or at a higher level
        return list_not_read();
    }
    return refuse(
        Errc::forbidden,
        "not listed",
        fmt::format(
            "{} is on no allowlist of this relay; open a pull request that adds it at level L2 or "
            "above to the allowlist of the upstream",
            downstream.text()
        )
    );
}

tl::expected<Admission::Listing, CallbackRefusal>
Admission::listing_of(const RepoName& upstream, const RepoName& downstream) const {
    const auto allowlist = around_.book.find(upstream);
    if (allowlist == nullptr) {
        return list_not_read();
    }
    const auto* const listed = allowlist->find(downstream);
    if (listed == nullptr) {
        return refuse(
            Errc::forbidden,
            "not listed",
            fmt::format(
                "{} is not on the allowlist of {} (any more)", downstream.text(), upstream.text()
            )
        );
    }
    return Listing{.level = listed->level, .device = listed->device};
}

tl::expected<void, CallbackRefusal> Admission::take_turn(const RepoName& downstream) {
    const auto now = around_.clock.now();
    const std::scoped_lock lock(mutex_);
    auto& bucket = buckets_.try_emplace(downstream, settings_.per_minute, now).first->second;
    const auto wait = bucket.take(now);
    if (!wait) {
        return {};
    }
    auto refusal = refuse(
        Errc::throttled,
        "rate limit",
        fmt::format(
            "rate limit exceeded for {}: {} a minute", downstream.text(), settings_.per_minute
        )
    );
    refusal.value().retry_after = *wait;
    return refusal;
}

} // namespace baton::relay
