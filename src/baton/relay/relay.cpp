#include "baton/relay/relay.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/event.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/sink.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_keeper.hpp"
#include "baton/relay/courier.hpp"
#include "baton/relay/dispatcher.hpp"
#include "baton/relay/gate_watch.hpp"
#include "baton/relay/intake.hpp"
#include "baton/relay/planner.hpp"
#include "baton/relay/poster.hpp"
#include "baton/relay/pruner.hpp"
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

std::function<bool()> leading(const Relay::Surroundings& around) {
    return around.leads ? around.leads : [] { return true; };
}

ports::RehearsalKeeper rehearsals_to(ports::Levels* levels) {
    if (levels == nullptr) {
        return {};
    }
    return [levels](ports::NewRehearsal rehearsal) { return levels->note_rehearsal(rehearsal); };
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
           .on_accepted = [this] { planner_.wake(); },
           .book = &book_,
           .levels = settings_.profile ? around_.levels : nullptr}
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
           .on_recorded = [this] { wake_tellers(); },
           .on_rehearsed = rehearsals_to(settings_.profile ? around_.levels : nullptr)}
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
           .on_rebuilt = [this] { planner_.wake(); },
           .leads = leading(around_)}
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
           .on_recorded = [this] { wake_tellers(); },
           .leads = leading(around_)}
      )
    , pruner_(
          {.bodies_for = settings_.bodies_for, .results_for = settings_.results_for},
          {.store = around_.store,
           .clock = around_.clock,
           .journal = around_.journal,
           .leads = leading(around_)}
      )
    , schedules_(
          {.upstreams = repos_of(upstreams)},
          {.store = around_.store,
           .github = around_.github,
           .clock = around_.clock,
           .journal = around_.journal,
           .book = book_,
           .on_fired = [this] { dispatcher_.wake(); },
           .leads = leading(around_)}
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
           .on_dispatched = [this] { dispatcher_.wake(); },
           .leads = leading(around_)}
      )
    , ladder_watch_(
          {.upstreams = repos_of(upstreams),
           .profile = settings_.profile.value_or(domain::Profile{}),
           .day_length = settings_.day_length,
           .probes = settings_.probes},
          {.levels = settings_.profile ? around_.levels : nullptr,
           .clock = around_.clock,
           .journal = around_.journal,
           .book = book_,
           .on_moved = [this] { wake_tellers(); },
           .pool = around_.pool,
           .leads = leading(around_)}
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

} // namespace baton::relay
