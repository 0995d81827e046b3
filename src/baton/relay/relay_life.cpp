// How a relay starts, goes on and stops; relay.cpp puts it together.

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/receivers.hpp"
#include "baton/relay/relay.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <functional>
#include <string>
#include <utility>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds kReplicasEvery{1};

} // namespace

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

asio::awaitable<Result<void>> Relay::adopt() {
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
        dispatcher_.wake();
    }
    co_return Result<void>{};
}

asio::awaitable<Result<void>> Relay::start() {
    auto entered = co_await enter_mode();
    if (!entered) {
        co_return entered;
    }
    auto adopted = co_await adopt();
    if (!adopted) {
        co_return adopted;
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
    auto lowered = co_await ladder_watch_.begin();
    if (!lowered) {
        co_return lowered;
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
    loops_.spawn(keep_up([this] { return pruner_.run(); }));
    loops_.spawn(keep_up([this] { return schedules_.run(); }));
    loops_.spawn(keep_up([this] { return reconciler_.run(); }));
    loops_.spawn(keep_up([this] { return rerunner_.run(); }));
    loops_.spawn(keep_up([this] { return gate_watch_.run(); }));
    loops_.spawn(keep_up([this] { return ladder_watch_.run(); }));
    loops_.spawn(keep_up([this] { return renew_keys(); }));
    if (around_.leads) {
        loops_.spawn(keep_up([this] { return mind_replicas(); }));
    }
    if (around_.quotas != nullptr) {
        loops_.spawn(keep_up([this] { return share_quotas(); }));
    }
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
    if (around_.tell_others) {
        loops_.spawn(hand_over());
    }
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

/// Nothing is leased here any more; who does not hear it looks by itself.
asio::awaitable<void> Relay::hand_over() {
    static_cast<void>(co_await around_.tell_others());
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

asio::awaitable<void> Relay::share_quotas() {
    for (;;) {
        co_await around_.clock.sleep_until(around_.clock.now() + kReplicasEvery);
        const auto now = around_.clock.now();
        around_.quotas->tell(around_.github.quotas().views(now));
        around_.github.hear(around_.quotas->heard(), now);
    }
}

void Relay::note_lead(bool leads) {
    around_.journal.note(ports::LifeTurn{
        .what = leads ? "leads" : "follows",
        .detail = leads ? "does from now on what only one of the relays has to do"
                        : "does not do any more what only one of the relays has to do",
    });
}

asio::awaitable<void> Relay::mind_replicas() {
    for (;;) {
        co_await around_.clock.sleep_until(around_.clock.now() + kReplicasEvery);
        auto done = co_await mint_.refresh();
        const bool leads = around_.leads();
        if (leads != std::exchange(led_, leads)) {
            note_lead(leads);
        }
        if (done && leads) {
            done = co_await adopt();
        }
        if (!done) {
            around_.journal.note(
                ports::Trouble{.healed = true, .where = "replicas", .detail = done.error().detail}
            );
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
