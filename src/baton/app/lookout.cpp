#include "baton/app/lookout.hpp"

#include "baton/app/part_news.hpp"
#include "baton/async/deadline.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/journal.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::app {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds kBetweenLooks{2};
constexpr std::chrono::seconds kAheadTold{10};
constexpr std::chrono::seconds kStoreWait{5};

std::string allowlist_part(const RepoName& upstream) {
    return "allowlist of " + upstream.text();
}

} // namespace

Lookout::Lookout(const std::vector<RepoName>& upstreams, Surroundings around)
    : around_(around) {
    for (const auto* part : {"store", "github"}) {
        around_.readiness.set(part, std::string(kNotLookedAt));
    }
    if (around_.identities != nullptr) {
        around_.readiness.set("keys", std::string(kNotLookedAt));
    }
    for (const auto& upstream : upstreams) {
        around_.readiness.set(allowlist_part(upstream), std::string(kNotLookedAt));
    }
}

asio::awaitable<void> Lookout::run() {
    for (;;) {
        std::string surprise;
        try {
            co_await look_around();
        } catch (const boost::system::system_error& error) {
            if (error.code() == asio::error::operation_aborted) {
                throw; // we are stopping
            }
            surprise = error.what();
        } catch (const std::exception& error) {
            surprise = error.what();
        }
        if (!surprise.empty()) {
            around_.journal.note(
                ports::Trouble{.healed = false, .where = "watch", .detail = std::move(surprise)}
            );
        }
        co_await around_.clock.sleep_until(around_.clock.now() + kBetweenLooks);
    }
}

void Lookout::look_at_clock() {
    const auto now = around_.clock.now();
    const auto passed = std::chrono::steady_clock::now();
    if (last_look_) {
        const auto jump = (now - last_look_->now) - (passed - last_look_->passed);
        if (jump > kAheadTold) {
            around_.journal.note(ports::Trouble{
                .healed = true,
                .where = "clock",
                .detail = fmt::format(
                    "time went ahead by {} (a clock was set, or the machine slept): what was to "
                    "end "
                    "meanwhile ends now",
                    to_text(std::chrono::floor<std::chrono::seconds>(jump))
                ),
            });
        }
    }
    last_look_ = {.now = now, .passed = passed};
    const auto ahead = now - around_.clock.calendar();
    if (is_ahead_ == (ahead > kAheadTold)) {
        return;
    }
    is_ahead_ = !is_ahead_;
    around_.journal.note(ports::Trouble{
        .healed = true,
        .where = "clock",
        .detail = is_ahead_ ? fmt::format(
                                  "the clock that is gone by was set back by {}: time goes half as "
                                  "fast here until it has caught up",
                                  to_text(std::chrono::floor<std::chrono::seconds>(ahead))
                              )
                            : std::string("the clock that is gone by has caught up"),
    });
}

/// A store that says nothing is not ready, long before it is given up.
asio::awaitable<Result<void>> Lookout::look_at_store(TimePoint now) {
    auto counting = count(now);
    const auto counted = co_await async::with_deadline(std::move(counting), kStoreWait);
    if (!counted) {
        co_return fail(
            Errc::unavailable, fmt::format("the store has said nothing for {}", to_text(kStoreWait))
        );
    }
    co_return *counted;
}

asio::awaitable<Result<void>> Lookout::count(TimePoint now) {
    BATON_CO_TRY(const auto counts, co_await around_.store.counts());
    BATON_CO_TRY(const auto results, co_await around_.store.result_counts());
    around_.metrics.observe(counts, now);
    around_.metrics.observe(results, now);
    co_return Result<void>{};
}

asio::awaitable<void> Lookout::look_around() {
    look_at_clock();
    const auto now = around_.clock.now();
    const auto counted = co_await look_at_store(now);
    if (!counted) {
        around_.metrics.forget_store();
    }
    around_.metrics.observe(around_.github.quotas().views(now));
    const auto store_error = counted ? std::nullopt : std::optional(counted.error());
    tell_part(around_.readiness, around_.journal, "store", store_error);
    for (const auto& status : around_.allowlists.status()) {
        around_.readiness.set(
            allowlist_part(status.upstream), status.in_force ? "" : status.trouble
        );
    }
    if (around_.identities != nullptr) {
        const auto trouble = around_.identities->trouble();
        around_.readiness.set("keys", trouble ? trouble->detail : "");
    }
    const auto access = co_await around_.github.check_access();
    const auto github_error = access ? std::nullopt : std::optional(access.error());
    // Allowlists and keys have keepers that tell.
    tell_part(around_.readiness, around_.journal, "github", github_error);
}

} // namespace baton::app
