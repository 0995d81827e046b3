#include "baton/relay/relay.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/event.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/sink.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_keeper.hpp"
#include "baton/relay/courier.hpp"
#include "baton/relay/dispatcher.hpp"
#include "baton/relay/gate_watch.hpp"
#include "baton/relay/intake.hpp"
#include "baton/relay/planner.hpp"
#include "baton/relay/poster.hpp"
#include "baton/relay/receivers.hpp"
#include "baton/relay/reconciler.hpp"
#include "baton/relay/recovery.hpp"
#include "baton/relay/rerunner.hpp"
#include "baton/relay/schedules.hpp"
#include "baton/relay/sweeper.hpp"
#include "baton/relay/upstream.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

std::function<void(std::string)> told_to(ports::Journal& journal) {
    return [&journal](std::string surprise) {
        journal.note(
            ports::Trouble{.healed = false, .where = "relay", .detail = std::move(surprise)}
        );
    };
}

} // namespace

Relay::Relay(Settings settings, std::vector<Upstream> upstreams, Surroundings around)
    : settings_(std::move(settings))
    , around_(std::move(around))
    , mint_(around_.store, around_.clock, around_.chance)
    , dispatcher_(
          {.instance = settings_.instance,
           .upstreams = repos_of(upstreams),
           .retry = settings_.retry,
           .run_timeout = settings_.run_timeout},
          {.executor = around_.executor,
           .store = around_.store,
           .github = around_.github,
           .clock = around_.clock,
           .chance = around_.chance,
           .journal = around_.journal,
           .book = book_,
           .mint = mint_}
      )
    , planner_(
          {.rules = check_rules_of(upstreams, settings_.gate, settings_.page),
           .app_id = settings_.app_id},
          {.executor = around_.executor,
           .store = around_.store,
           .github = around_.github,
           .clock = around_.clock,
           .journal = around_.journal,
           .book = book_,
           .on_event =
               [this](const domain::Event& event) {
                   for (const auto& keeper : keepers_) {
                       keeper->notice(event);
                   }
               },
           .on_planned =
               [this] {
                   dispatcher_.wake();
                   reconciler_.wake();
                   rerunner_.wake();
               }}
      )
    , intake_(
          interests_of(upstreams),
          {.store = around_.store,
           .clock = around_.clock,
           .on_accepted = [this] { planner_.wake(); }}
      )
    , commits_({.executor = around_.executor, .github = around_.github, .clock = around_.clock})
    , callbacks_(
          {.upstreams = repos_of(upstreams),
           .sinks = names_of(around_.sinks),
           .per_minute = settings_.callbacks_per_minute},
          {.store = around_.store,
           .clock = around_.clock,
           .book = book_,
           .mint = mint_,
           .commits = commits_,
           .on_recorded = [this] { wake_tellers(); }}
      )
    , recovery_(
          {.upstreams = repos_of(upstreams),
           .every = settings_.recovery_every,
           .asks = settings_.mode == ports::Mode::live},
          {.executor = around_.executor,
           .store = around_.store,
           .github = around_.github,
           .clock = around_.clock,
           .journal = around_.journal,
           .on_rebuilt = [this] { planner_.wake(); }}
      )
    , sweeper_(
          {.upstreams = repos_of(upstreams),
           .start_timeout = settings_.start_timeout,
           .run_timeout = settings_.run_timeout,
           .sinks = names_of(around_.sinks)},
          {.store = around_.store,
           .github = around_.github,
           .clock = around_.clock,
           .journal = around_.journal,
           .book = book_,
           .on_recorded = [this] { wake_tellers(); }}
      )
    , schedules_(
          {.upstreams = repos_of(upstreams)},
          {.store = around_.store,
           .github = around_.github,
           .clock = around_.clock,
           .journal = around_.journal,
           .book = book_,
           .on_fired = [this] { dispatcher_.wake(); }}
      )
    , reconciler_(
          check_rules_of(upstreams, settings_.gate, settings_.page),
          {.executor = around_.executor,
           .store = around_.store,
           .clock = around_.clock,
           .journal = around_.journal,
           .book = book_,
           .on_wanted =
               [this] {
                   poster_.wake();
                   rerunner_.wake();
               }}
      )
    , poster_(
          {.instance = settings_.instance, .retry = settings_.retry},
          {.executor = around_.executor,
           .store = around_.store,
           .github = around_.github,
           .clock = around_.clock,
           .chance = around_.chance,
           .journal = around_.journal}
      )
    , rerunner_(
          {.instance = settings_.instance, .retry = settings_.retry},
          {.store = around_.store,
           .github = around_.github,
           .clock = around_.clock,
           .chance = around_.chance,
           .journal = around_.journal,
           .on_dispatched = [this] { dispatcher_.wake(); }}
      )
    , gate_watch_(
          {.upstreams = repos_of(upstreams),
           .rules = {.start = settings_.gate.start, .run = settings_.gate.run},
           .canary_every = settings_.canary_every},
          {.store = around_.store,
           .github = around_.github,
           .clock = around_.clock,
           .journal = around_.journal,
           .book = book_,
           .notices = around_.notices,
           .on_moved = [this] { wake_tellers(); },
           .on_dispatched = [this] { dispatcher_.wake(); }}
      )
    , loops_(around_.executor, told_to(around_.journal))
    , sending_(around_.executor, told_to(around_.journal)) {
    for (auto& upstream : upstreams) {
        keepers_.push_back(std::make_unique<AllowlistKeeper>(
            AllowlistKeeper::Settings{
                .upstream = upstream.repo,
                .refresh = upstream.refresh,
                .watched = std::move(upstream.watched)
            },
            AllowlistKeeper::Surroundings{
                .source = upstream.source,
                .store = around_.store,
                .clock = around_.clock,
                .journal = around_.journal,
                .book = book_,
                .on_change = [this] { wake(); },
            }
        ));
    }
    auto told = around_.sinks;
    told.insert(told.end(), around_.receivers.begin(), around_.receivers.end());
    for (const auto& sink : told) {
        couriers_.push_back(std::make_unique<Courier>(
            Courier::Settings{.instance = settings_.instance, .retry = settings_.retry},
            Courier::Surroundings{
                .executor = around_.executor,
                .store = around_.store,
                .sink = *sink,
                .clock = around_.clock,
                .chance = around_.chance,
                .journal = around_.journal,
            }
        ));
    }
}

/// Before anything is adopted: what a shadow left comes to rest instead of being sent.
asio::awaitable<Result<void>> Relay::enter_mode() {
    BATON_CO_TRY(
        const auto change, co_await around_.store.enter_mode(settings_.mode, around_.clock.now())
    );
    if (settings_.mode == ports::Mode::shadow) {
        around_.journal.note(ports::LifeTurn{
            .what = "shadow",
            .detail = "everything is verified, decided and recorded; nothing is sent to GitHub",
        });
    }
    if (change.shadow_since) {
        around_.journal.note(ports::LifeTurn{
            .what = "live",
            .detail = fmt::format(
                "the store was a shadow's since {}: {} of its dispatches and {} of its deliveries "
                "came "
                "to rest unsent",
                to_rfc3339(*change.shadow_since),
                change.rested,
                change.unplanned
            ),
        });
    }
    co_return Result<void>{};
}

asio::awaitable<Result<void>> Relay::start() {
    auto entered = co_await enter_mode();
    if (!entered) {
        co_return entered;
    }
    BATON_CO_TRY(
        const auto adoption, co_await around_.store.adopt(settings_.instance, around_.clock.now())
    );
    if (adoption.voided_leases > 0) {
        around_.journal.note(ports::LifeTurn{
            .what = "adopted",
            .detail = fmt::format(
                "{} attempts of a process that died are sent again", adoption.voided_leases
            ),
        });
    }
    auto named =
        co_await name_receivers(around_.notices, around_.receivers, around_.clock, around_.journal);
    if (!named) {
        co_return named;
    }
    auto minted = co_await mint_.refresh();
    if (!minted) {
        co_return minted;
    }
    auto begun = co_await recovery_.begin();
    if (!begun) {
        co_return begun;
    }
    for (const auto& keeper : keepers_) {
        auto recalled = co_await keeper->recall();
        if (!recalled) {
            co_return recalled;
        }
    }
    schedules_.begin();
    for (const auto& keeper : keepers_) {
        loops_.spawn(keep_up([&keeper = *keeper] { return keeper.run(); }));
    }
    loops_.spawn(keep_up([this] { return planner_.run(); }));
    loops_.spawn(keep_up([this] { return recovery_.run(); }));
    loops_.spawn(keep_up([this] { return sweeper_.run(); }));
    loops_.spawn(keep_up([this] { return schedules_.run(); }));
    loops_.spawn(keep_up([this] { return reconciler_.run(); }));
    loops_.spawn(keep_up([this] { return rerunner_.run(); }));
    loops_.spawn(keep_up([this] { return gate_watch_.run(); }));
    loops_.spawn(keep_up([this] { return renew_keys(); }));
    sending_.spawn(keep_up([this] { return dispatcher_.run(); }));
    sending_.spawn(keep_up([this] { return poster_.run(); }));
    for (const auto& courier : couriers_) {
        sending_.spawn(keep_up([&courier = *courier] { return courier.run(); }));
    }
    co_return Result<void>{};
}

asio::awaitable<void> Relay::keep_up(std::function<asio::awaitable<void>()> loop) {
    for (;;) {
        std::string surprise;
        try {
            co_await loop();
            co_return;
        } catch (const boost::system::system_error& error) {
            if (error.code() == asio::error::operation_aborted) {
                throw; // we are stopping
            }
            surprise = error.what();
        } catch (const std::exception& error) {
            surprise = error.what();
        }
        around_.journal.note(
            ports::Trouble{.healed = false, .where = "relay", .detail = std::move(surprise)}
        );
        co_await around_.clock.sleep_until(around_.clock.now() + limits::kPollTime);
    }
}

void Relay::finish_sending() {
    dispatcher_.finish();
    poster_.finish();
    for (const auto& courier : couriers_) {
        courier->finish();
    }
}

void Relay::cancel_sending() {
    dispatcher_.cancel();
    poster_.cancel();
    for (const auto& courier : couriers_) {
        courier->cancel();
    }
}

asio::awaitable<void> Relay::stop(Millis wait) {
    finish_sending();
    loops_.spawn(cancel_after(wait));
    co_await sending_.join();
    co_await abandon();
}

asio::awaitable<void> Relay::abandon() {
    finish_sending();
    loops_.cancel();
    sending_.cancel();
    planner_.cancel();
    reconciler_.cancel();
    recovery_.cancel();
    cancel_sending();
    co_await commits_.close();
    co_await loops_.join();
    co_await sending_.join();
    co_await reconciler_.join();
    co_await poster_.join();
}

asio::awaitable<void> Relay::cancel_after(Millis wait) {
    co_await around_.clock.sleep_until(around_.clock.now() + wait);
    cancel_sending();
}

asio::awaitable<void> Relay::renew_keys() {
    for (;;) {
        co_await around_.clock.sleep_until(around_.clock.now() + std::chrono::hours{24});
        const auto renewed = co_await mint_.refresh();
        if (!renewed) {
            around_.journal.note(ports::Trouble{
                .healed = true, .where = "signing keys", .detail = renewed.error().detail
            });
        }
    }
}

void Relay::wake_tellers() {
    reconciler_.wake();
    for (const auto& courier : couriers_) {
        courier->wake();
    }
}

void Relay::wake() {
    planner_.wake();
    dispatcher_.wake();
    schedules_.wake();
    reconciler_.wake();
}

} // namespace baton::relay
