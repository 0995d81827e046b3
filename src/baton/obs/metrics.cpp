#include "baton/obs/metrics.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/quota.hpp"
#include "baton/domain/retry.hpp"
#include "baton/obs/metric_parts.hpp"
#include "baton/obs/result_metrics.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace baton::obs {

namespace {

using Counters = prometheus::Family<prometheus::Counter>;
using Gauges = prometheus::Family<prometheus::Gauge>;

/// The events that Baton acts on. The header that names an event is sent by whoever holds the
/// secret, so any other name is one series.
constexpr std::array<std::string_view, 10> kEvents{
    "pull_request",
    "push",
    "check_run",
    "check_suite",
    "merge_group",
    "installation",
    "installation_repositories",
    "workflow_job",
    "issue_comment",
    "ping",
};

std::string event_word(const std::string& event) {
    return std::ranges::find(kEvents, event) == kEvents.end() ? "other" : event;
}

constexpr std::array kOutcomes{
    domain::Outcome::accepted,
    domain::Outcome::too_large,
    domain::Outcome::throttled,
    domain::Outcome::refused,
    domain::Outcome::unauthenticated,
    domain::Outcome::not_sent,
    domain::Outcome::unknown,
    domain::Outcome::withheld,
};

template <class Duration> double seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

} // namespace

class Metrics::Impl {
public:
    Impl();

    void operator()(const ports::WebhookAnswered& entry) {
        webhooks_
            .Add(
                {{"outcome", outcomes_.word(entry.outcome)}, {"reason", reasons_.word(entry.reason)}
                }
            )
            .Increment();
        webhook_seconds_.Observe(seconds(entry.took));
    }

    void operator()(const ports::CallbackAnswered& entry) {
        callbacks_
            .Add(
                {{"outcome", outcomes_.word(entry.outcome)}, {"reason", reasons_.word(entry.reason)}
                }
            )
            .Increment();
        callback_seconds_.Observe(seconds(entry.took));
    }

    void operator()(const ports::DeliveryPlanned& entry) {
        planned_.Add({{"event", event_word(entry.event)}}).Increment();
        planned_dispatches_.Increment(static_cast<double>(entry.created));
        plan_wait_seconds_.Observe(seconds(entry.waited));
    }

    void operator()(const ports::DispatchAttempted& entry) {
        attempts_.Add({{"outcome", std::string(domain::name_of(entry.answer.outcome))}}
        ).Increment();
        attempt_seconds_.Observe(seconds(entry.took));
        if (entry.answer.outcome == domain::Outcome::unknown) {
            unknown_outcomes_.Increment();
        }
        if (entry.state == domain::DispatchState::pending) {
            return; // it will be tried again
        }
        dispatches_.Add({{"state", std::string(domain::name_of(entry.state))}}).Increment();
        if (entry.state == domain::DispatchState::sent) {
            dispatch_age_seconds_.Observe(seconds(entry.age));
        }
    }

    void operator()(const ports::AllowlistInForce& entry) {
        const prometheus::Labels labels{{"upstream", upstreams_.word(entry.upstream.text())}};
        listed_.Add(labels).Set(static_cast<double>(entry.downstreams));
        list_refused_.Add(labels).Set(0);
    }

    void operator()(const ports::AllowlistRefused& entry) {
        const prometheus::Labels labels{{"upstream", upstreams_.word(entry.upstream.text())}};
        list_refusals_.Add(labels).Increment();
        list_refused_.Add(labels).Set(1);
    }

    void operator()(const ports::HookLogWalked& entry) {
        hooks_asked_.Increment(static_cast<double>(entry.asked));
        hooks_astray_.Set(static_cast<double>(entry.astray));
        hooks_given_up_.Set(static_cast<double>(entry.given_up));
        walks_.Increment();
    }

    void operator()(const ports::DayCompleted& entry) {
        day_missing_.Set(static_cast<double>(entry.day.missing()));
    }

    void operator()(const ports::Trouble& entry) {
        troubles_
            .Add(
                {{"severity", entry.healed ? "warning" : "error"},
                 {"where", places_.word(entry.where)}}
            )
            .Increment();
    }

    void operator()(const ports::LifeTurn&) {} // a story for the log; nothing to count

    void operator()(const auto& entry) { results_(entry); }

    void observe(const ports::Counts& counts, TimePoint now);
    void observe(const std::vector<domain::QuotaView>& quotas);

    void observe(const ports::ResultCounts& counts, TimePoint now) {
        results_.observe(counts, now);
    }

    void forget_store();

    std::string render() const {
        return prometheus::TextSerializer().Serialize(registry_.Collect());
    }

private:
    Counters& counters(std::string_view name, std::string_view help) {
        return prometheus::BuildCounter()
            .Name(std::string(name))
            .Help(std::string(help))
            .Register(registry_);
    }

    Gauges& gauges(std::string_view name, std::string_view help) {
        return prometheus::BuildGauge()
            .Name(std::string(name))
            .Help(std::string(help))
            .Register(registry_);
    }

    prometheus::Histogram&
    histogram(std::string_view name, std::string_view help, const Buckets& buckets) {
        return prometheus::BuildHistogram()
            .Name(std::string(name))
            .Help(std::string(help))
            .Register(registry_)
            .Add({}, buckets);
    }

    prometheus::Registry registry_; // first: everything below lives in it

    Counters& webhooks_ =
        counters("baton_webhooks_total", "Webhook requests answered, by outcome and by reason.");
    Counters& callbacks_ =
        counters("baton_callbacks_total", "Callback requests answered, by outcome and by reason.");
    prometheus::Histogram& callback_seconds_ = histogram(
        "baton_callback_seconds",
        "From the end of a callback's body to its answer, the commit included.",
        quick()
    );
    prometheus::Histogram& webhook_seconds_ = histogram(
        "baton_webhook_seconds", "From the end of a webhook's headers to its answer.", quick()
    );

    Counters& planned_ =
        counters("baton_deliveries_planned_total", "Deliveries planned, by event.");
    prometheus::Counter& planned_dispatches_ =
        counters("baton_dispatches_planned_total", "Dispatches that planning created.").Add({});
    prometheus::Histogram& plan_wait_seconds_ =
        histogram("baton_plan_wait_seconds", "From receiving a delivery to its plan.", age());

    Counters& attempts_ = counters(
        "baton_dispatch_attempts_total", "Attempts to send a dispatch, by how they ended."
    );
    prometheus::Histogram& attempt_seconds_ =
        histogram("baton_dispatch_attempt_seconds", "How long one attempt to send took.", call());
    prometheus::Counter& unknown_outcomes_ =
        counters(
            "baton_dispatch_unknown_outcomes_total",
            "Attempts after which nobody can say whether GitHub took the dispatch."
        )
            .Add({});
    Counters& dispatches_ = counters(
        "baton_dispatches_total",
        "Dispatches that an attempt brought to a state other than pending."
    );
    prometheus::Histogram& dispatch_age_seconds_ = histogram(
        "baton_dispatch_age_seconds", "From deciding on a dispatch to GitHub having it.", age()
    );

    Counters& list_refusals_ =
        counters("baton_allowlist_refusals_total", "Allowlists that were read and refused.");
    Gauges& list_refused_ = gauges(
        "baton_allowlist_refused",
        "1 while the newest allowlist is refused and an older one in force."
    );
    Gauges& listed_ =
        gauges("baton_allowlist_downstreams", "Downstreams in the allowlist that is in force.");

    prometheus::Counter& walks_ =
        counters("baton_hook_log_walks_total", "Times GitHub's delivery log was looked through.")
            .Add({});
    prometheus::Counter& hooks_asked_ =
        counters(
            "baton_redeliveries_asked_total", "Webhooks that GitHub was asked to send once more."
        )
            .Add({});
    prometheus::Gauge& hooks_astray_ =
        gauges("baton_webhooks_astray", "Webhooks that GitHub sent and that are still awaited.")
            .Add({});
    prometheus::Gauge& hooks_given_up_ =
        gauges(
            "baton_webhooks_given_up",
            "Webhooks that did not come however often they were asked for."
        )
            .Add({});
    prometheus::Gauge& day_missing_ =
        gauges("baton_day_missing", "Webhooks missing from the last completed day's account.")
            .Add({});

    prometheus::Gauge& quota_headroom_ =
        gauges(
            "baton_github_quota_headroom_ratio",
            "Requests left, as a share of the limit, of the account that has the least."
        )
            .Add({});
    prometheus::Gauge& accounts_held_ =
        gauges(
            "baton_github_accounts_held", "Accounts for which GitHub announced a limit that lasts."
        )
            .Add({});
    prometheus::Gauge& requests_in_flight_ =
        gauges("baton_github_requests_in_flight", "Requests to GitHub under way.").Add({});

    Counters& troubles_ =
        counters("baton_troubles_total", "Troubles, healed (warning) or not (error).");

    Gauges& store_dispatches_ =
        gauges("baton_store_dispatches", "Dispatches in the store, by the state they are in.");
    prometheus::Gauge& store_deliveries_ =
        gauges("baton_store_deliveries", "Deliveries in the store.").Add({});
    prometheus::Gauge& to_plan_ =
        gauges("baton_deliveries_to_plan", "Deliveries accepted and not yet planned.").Add({});
    prometheus::Gauge& store_unknown_ =
        gauges("baton_store_unknown_outcomes", "Attempts in the store whose effect is not known.")
            .Add({});
    prometheus::Gauge& oldest_pending_ =
        gauges(
            "baton_oldest_pending_age_seconds",
            "Age of the oldest dispatch not yet sent; 0 without one."
        )
            .Add({});

    ResultMetrics results_{registry_};

    Vocabulary outcomes_;
    Vocabulary reasons_;
    Vocabulary upstreams_;
    Vocabulary places_;
};

/// Series whose labels are known beforehand exist from the start: a rate over a series that appears
/// with its first event misses that event.
Metrics::Impl::Impl() {
    gauges("baton_build_info", "Always 1; the labels name the build.")
        .Add({{"version", BATON_VERSION}})
        .Set(1);
    for (const auto outcome : kOutcomes) {
        attempts_.Add({{"outcome", std::string(domain::name_of(outcome))}});
    }
    for (const auto state : domain::kDispatchStates) {
        store_dispatches_.Add({{"state", std::string(domain::name_of(state))}});
        if (state != domain::DispatchState::pending) {
            dispatches_.Add({{"state", std::string(domain::name_of(state))}});
        }
    }
}

void Metrics::Impl::observe(const ports::Counts& counts, TimePoint now) {
    for (const auto state : domain::kDispatchStates) {
        const auto found = std::ranges::find(
            counts.dispatches, state, &std::pair<domain::DispatchState, std::size_t>::first
        );
        const auto count = found == counts.dispatches.end() ? 0 : found->second;
        store_dispatches_.Add({{"state", std::string(domain::name_of(state))}}
        ).Set(static_cast<double>(count));
    }
    store_deliveries_.Set(static_cast<double>(counts.deliveries));
    to_plan_.Set(static_cast<double>(counts.to_plan));
    store_unknown_.Set(static_cast<double>(counts.unknown_outcomes));
    // A clock that was set back must not show as a negative age.
    const auto waiting =
        counts.oldest_pending ? std::max(now - *counts.oldest_pending, Millis{0}) : Millis{0};
    oldest_pending_.Set(seconds(waiting));
}

void Metrics::Impl::forget_store() {
    for (const auto state : domain::kDispatchStates) {
        store_dispatches_.Add({{"state", std::string(domain::name_of(state))}}).Set(kUnknown);
    }
    for (auto* gauge : {&store_deliveries_, &to_plan_, &store_unknown_, &oldest_pending_}) {
        gauge->Set(kUnknown);
    }
    results_.forget();
}

void Metrics::Impl::observe(const std::vector<domain::QuotaView>& quotas) {
    double headroom = 1;
    std::size_t held = 0;
    std::size_t in_flight = 0;
    for (const auto& quota : quotas) {
        held += quota.held_until ? 1 : 0;
        in_flight += quota.in_flight;
        if (quota.limit && *quota.limit > 0 && quota.remaining) {
            const auto left = static_cast<double>(*quota.remaining);
            headroom = std::min(headroom, left / static_cast<double>(*quota.limit));
        }
    }
    quota_headroom_.Set(headroom);
    accounts_held_.Set(static_cast<double>(held));
    requests_in_flight_.Set(static_cast<double>(in_flight));
}

Metrics::Metrics()
    : impl_(std::make_unique<Impl>()) {}

Metrics::~Metrics() = default;

void Metrics::note(const ports::JournalEntry& entry) {
    std::visit(*impl_, entry);
}

void Metrics::observe(const ports::Counts& counts, TimePoint now) {
    impl_->observe(counts, now);
}

void Metrics::observe(const ports::ResultCounts& counts, TimePoint now) {
    impl_->observe(counts, now);
}

void Metrics::forget_store() {
    impl_->forget_store();
}

void Metrics::observe(const std::vector<domain::QuotaView>& quotas) {
    impl_->observe(quotas);
}

std::string Metrics::render() const {
    return impl_->render();
}

} // namespace baton::obs
