#include "baton/relay/dispatcher.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/quota.hpp"
#include "baton/domain/retry.hpp"
#include "baton/domain/share.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/healing.hpp"
#include "baton/wire/dispatch_body.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

std::optional<int> smaller(std::optional<int> a, std::optional<int> b) {
    return a && b ? std::min(a, b) : (a ? a : b);
}

/// Counts itself in a number for as long as it lives.
class Counted {
public:
    explicit Counted(std::size_t& number)
        : number_(number) {
        ++number_;
    }

    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

    ~Counted() { --number_; }

private:
    std::size_t& number_;
};

/// A body that cannot be built is no fault of GitHub's: gone or too large for ever, or the store
/// away for a while.
domain::Answer without_body(const Error& error) {
    const bool for_ever = error.code == Errc::not_found || error.code == Errc::invalid;
    return {
        .outcome = for_ever ? domain::Outcome::refused : domain::Outcome::not_sent,
        .status = 0,
        .detail = error.detail,
    };
}

} // namespace

Dispatcher::Dispatcher(Settings settings, Surroundings around)
    : settings_(std::move(settings))
    , around_(std::move(around))
    , bodies_(around_.store)
    , bell_(around_.clock.make_bell())
    , attempts_(around_.executor, [this](std::string surprise) {
        trouble(std::move(surprise), false);
    }) {}

void Dispatcher::wake() {
    bell_->ring();
}

void Dispatcher::finish() {
    finishing_ = true;
    wake();
}

void Dispatcher::cancel() {
    attempts_.cancel();
}

void Dispatcher::trouble(std::string detail, bool healed) {
    around_.journal.note(
        ports::Trouble{.healed = healed, .where = "dispatcher", .detail = std::move(detail)}
    );
}

asio::awaitable<void> Dispatcher::run() {
    while (!finishing_) {
        const auto next = co_await send_due();
        if (!finishing_) {
            co_await bell_->wait_until(next);
        }
    }
    co_await attempts_.join();
}

asio::awaitable<TimePoint> Dispatcher::send_due() {
    const auto now = around_.clock.now();
    const auto at_the_latest = now + limits::kPollTime;
    // While the store does not take the end of an attempt, its lease may run out: leasing now could
    // send it twice.
    if (unsettled_ > 0 || attempts_.size() >= limits::kInFlightMax) {
        co_return at_the_latest;
    }
    ports::DueQuery question{
        .now = now, .running_for = settings_.run_timeout, .running_for_of = own_run_timeouts()
    };
    auto view = co_await around_.store.due(std::move(question));
    if (!view) {
        trouble(view.error().detail, heals_by_itself(view.error()));
        co_return at_the_latest;
    }
    for (auto& waiting : view->waiting) {
        fill_in(waiting);
    }
    const domain::Slots slots{
        .free = limits::kInFlightMax - attempts_.size(),
        .per_downstream = limits::kInFlightPerDownstreamMax
    };
    ports::LeaseQuery query{
        .holder = settings_.instance,
        .shares = domain::share_out(std::move(view->waiting), slots),
        .under_way = {under_way_.begin(), under_way_.end()},
        .now = now,
        .until = now + limits::kLeaseTime,
    };
    if (query.shares.empty()) {
        co_return view->next_due ? std::min(*view->next_due, at_the_latest) : at_the_latest;
    }
    auto leased = co_await around_.store.lease(std::move(query));
    if (!leased) {
        trouble(leased.error().detail, heals_by_itself(leased.error()));
        co_return at_the_latest;
    }
    for (auto& one : *leased) {
        Flight flight(*this, one.dispatch);
        attempts_.spawn(attempt(std::move(one), std::move(flight)));
    }
    co_return view->next_due ? std::min(*view->next_due, at_the_latest) : at_the_latest;
}

void Dispatcher::fill_in(domain::Waiting& waiting) const {
    const auto flying = in_flight_.find(waiting.downstream);
    waiting.in_flight = flying == in_flight_.end() ? 0 : flying->second;
    waiting.troubled = troubled_.contains(waiting.downstream);
    waiting.held = is_paused(waiting.downstream);
    const auto account = domain::account_of(waiting.downstream);
    const auto* const quota = around_.github.quotas().find(account);
    const auto flying_there = flights_of(account);
    waiting.quota_room =
        quota == nullptr ? domain::Quota().room(waiting.level, around_.clock.now(), flying_there)
                         : quota->room(waiting.level, around_.clock.now(), flying_there);
    for (const auto& upstream : settings_.upstreams) {
        const auto allowlist = around_.book.find(upstream);
        if (const auto* listed = allowlist ? allowlist->find(waiting.downstream) : nullptr) {
            waiting.max_concurrent = smaller(waiting.max_concurrent, listed->max_concurrent);
            waiting.max_per_day = smaller(waiting.max_per_day, listed->max_per_day);
        }
    }
}

/// Where only the running ones are bounded; of two upstreams' times the longer one counts.
std::map<RepoName, Millis> Dispatcher::own_run_timeouts() const {
    std::map<RepoName, Millis> own;
    for (const auto& upstream : settings_.upstreams) {
        const auto allowlist = around_.book.find(upstream);
        if (!allowlist) {
            continue;
        }
        for (const auto& listed : allowlist->downstreams()) {
            if (listed.max_concurrent && listed.run_timeout) {
                auto& longest = own[listed.repo];
                longest = std::max(longest, *listed.run_timeout);
            }
        }
    }
    return own;
}

std::size_t Dispatcher::flights_of(const std::string& account) const {
    std::size_t all = 0;
    for (const auto& [downstream, count] : in_flight_) {
        all += domain::account_of(downstream) == account ? count : 0;
    }
    return all;
}

/// Paused in every list that names it: one upstream's maintenance note does not bind another.
bool Dispatcher::is_paused(const RepoName& downstream) const {
    bool named = false;
    for (const auto& upstream : settings_.upstreams) {
        const auto allowlist = around_.book.find(upstream);
        if (const auto* listed = allowlist ? allowlist->find(downstream) : nullptr) {
            named = true;
            if (!domain::is_paused(*listed, around_.clock.now())) {
                return false;
            }
        }
    }
    return named;
}

std::optional<domain::Verdict> Dispatcher::objection(const domain::Dispatch& dispatch) const {
    domain::Verdict verdict{.trim = dispatch.trim};
    const auto allowlist = around_.book.find(dispatch.upstream);
    if (allowlist && allowlist->find(dispatch.key.downstream) == nullptr) {
        verdict.state = domain::DispatchState::cancelled;
        verdict.reason = "no longer listed";
        return verdict;
    }
    const auto age = around_.clock.now() - dispatch.created_at;
    if (dispatch.attempts == 1 && settings_.retry.is_spent(age)) {
        verdict.state = domain::DispatchState::dead;
        verdict.reason = fmt::format("it was held, or found no room, for {}", to_text(age));
        return verdict;
    }
    return std::nullopt;
}

asio::awaitable<void> Dispatcher::attempt(ports::LeasedDispatch leased, Flight flight) {
    const auto began = around_.clock.now();
    const auto& dispatch = leased.dispatch;
    if (auto verdict = objection(dispatch)) {
        domain::Answer unsent{.outcome = domain::Outcome::not_sent, .detail = verdict->reason};
        co_await settle(std::move(leased), std::move(unsent), *std::move(verdict), began);
        co_return;
    }
    auto answer = co_await send(dispatch);
    learn_from(dispatch, answer);
    auto verdict = domain::judge(
        dispatch, answer, around_.clock.now(), around_.chance.draw(), settings_.retry
    );
    co_await settle(std::move(leased), std::move(answer), std::move(verdict), began);
}

asio::awaitable<domain::Answer> Dispatcher::send(domain::Dispatch dispatch) {
    if (!around_.book.find(dispatch.upstream)) {
        co_return domain::Answer{
            .outcome = domain::Outcome::not_sent, .detail = "the allowlist is not read yet"
        };
    }
    const auto body = co_await bodies_.body_for(dispatch);
    if (!body) {
        co_return without_body(body.error());
    }
    const wire::DownstreamFacts facts{
        .generation = dispatch.key.generation,
        .level = dispatch.level,
        .callback_token = around_.mint.token_for(dispatch),
    };
    ports::DispatchCall call{
        .downstream = dispatch.key.downstream, .body = (*body)->for_downstream(facts)
    };
    co_return co_await around_.github.dispatch(std::move(call));
}

void Dispatcher::learn_from(const domain::Dispatch& dispatch, const domain::Answer& answer) {
    const auto& downstream = dispatch.key.downstream;
    if (answer.outcome == domain::Outcome::unknown || answer.outcome == domain::Outcome::not_sent) {
        troubled_.insert(downstream);
    } else {
        troubled_.erase(downstream);
    }
}

asio::awaitable<void> Dispatcher::settle(
    ports::LeasedDispatch leased, domain::Answer answer, domain::Verdict verdict, TimePoint began
) {
    const auto& dispatch = leased.dispatch;
    ports::DispatchAttempted entry{
        .dispatch = dispatch.id,
        .key = dispatch.key,
        .level = dispatch.level,
        .attempt = dispatch.attempts,
        .answer = answer,
        .state = verdict.state,
        .next_try = verdict.state == domain::DispatchState::pending ? std::optional(verdict.due_at)
                                                                    : std::nullopt,
        .reason = verdict.reason,
        .took = around_.clock.now() - began,
        .age = around_.clock.now() - dispatch.created_at,
    };
    const ports::Settlement settlement{
        .lease = leased.lease,
        .answer = std::move(answer),
        .verdict = std::move(verdict),
        .now = around_.clock.now()
    };
    const auto settled = co_await write_down(settlement);
    if (settled) {
        entry.state = *settled;
    } else {
        trouble(
            fmt::format(
                "dispatch {}: {}", static_cast<std::int64_t>(dispatch.id), settled.error().detail
            ),
            false
        );
    }
    around_.journal.note(entry);
}

asio::awaitable<Result<domain::DispatchState>> Dispatcher::write_down(ports::Settlement settlement
) {
    auto settled = co_await around_.store.settle(settlement);
    if (settled || settled.error().code != Errc::unavailable) {
        co_return settled;
    }
    const Counted waiting(unsettled_);
    auto pause = limits::kSettleAgainFirst;
    while (!settled && settled.error().code == Errc::unavailable) {
        trouble(
            fmt::format("the end of an attempt is not written yet: {}", settled.error().detail),
            true
        );
        co_await around_.clock.sleep_until(around_.clock.now() + pause);
        pause = std::min(pause * 2, limits::kSettleAgainLongest);
        settled = co_await around_.store.settle(settlement);
    }
    co_return settled;
}

Dispatcher::Flight::Flight(Dispatcher& dispatcher, const domain::Dispatch& dispatch)
    : dispatcher_(&dispatcher)
    , id_(dispatch.id)
    , downstream_(dispatch.key.downstream) {
    ++dispatcher_->in_flight_[downstream_];
    dispatcher_->under_way_.insert(id_);
}

Dispatcher::Flight::Flight(Flight&& other) noexcept
    : dispatcher_(std::exchange(other.dispatcher_, nullptr))
    , id_(other.id_)
    , downstream_(std::move(other.downstream_)) {}

Dispatcher::Flight::~Flight() {
    if (dispatcher_ == nullptr) {
        return;
    }
    dispatcher_->under_way_.erase(id_);
    const auto found = dispatcher_->in_flight_.find(downstream_);
    if (--found->second == 0) {
        dispatcher_->in_flight_.erase(found);
    }
    dispatcher_->wake(); // a slot is free
}

} // namespace baton::relay
