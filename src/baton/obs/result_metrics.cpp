#include "baton/obs/result_metrics.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/letter.hpp"
#include "baton/domain/posting.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/obs/metric_parts.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/results.hpp"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <string>

namespace baton::obs {

namespace {

using Counters = prometheus::Family<prometheus::Counter>;
using Gauges = prometheus::Family<prometheus::Gauge>;
using Outcome = ports::ScheduleTurned::Outcome;

constexpr std::array kOutcomes{Outcome::fired, Outcome::missed, Outcome::excused};
constexpr std::array kFates{
    domain::LetterFate::delivered, domain::LetterFate::again, domain::LetterFate::dead
};

Counters& counters(prometheus::Registry& registry, const char* name, const char* help) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}

Gauges& gauges(prometheus::Registry& registry, const char* name, const char* help) {
    return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
}

prometheus::Labels state_label(const std::string& state) {
    return {{"state", state}};
}

} // namespace

/// Series whose labels are known beforehand exist from the start, as in Metrics.
ResultMetrics::ResultMetrics(prometheus::Registry& registry)
    : silences_(counters(
          registry, "baton_silent_dispatches_total", "Dispatches of which nobody began in time."
      ))
    , timed_out_(
          counters(registry, "baton_timed_out_jobs_total", "Jobs that did not end in time.").Add({})
      )
    , schedules_(counters(
          registry,
          "baton_schedules_total",
          "Moments of relay-owned schedules, by event and by what came of them."
      ))
    , letters_(counters(
          registry, "baton_letters_total", "Tries to hand a letter to a sink, by how they ended."
      ))
    , postings_(counters(
          registry,
          "baton_postings_total",
          "Calls that create or change a check or a comment, by how they ended."
      ))
    , reruns_(counters(
          registry, "baton_reruns_total", "Orders to run something again, by what came of them."
      ))
    , gate_moves_(counters(
          registry,
          "baton_gate_moves_total",
          "Parts of the gate that were suspended or count again."
      ))
    , level_moves_(counters(
          registry, "baton_level_moves_total", "Moves on the ladder of levels, and proposals."
      ))
    , pruned_bodies_(counters(
                         registry,
                         "baton_pruned_bodies_total",
                         "Payloads of deliveries removed because their time was over."
      )
                         .Add({}))
    , pruned_jobs_(counters(
                       registry,
                       "baton_pruned_jobs_total",
                       "Jobs with their results removed because their time was over."
      )
                       .Add({}))
    , pruned_dispatches_(counters(
                             registry,
                             "baton_pruned_dispatches_total",
                             "Dispatches removed because their time was over."
      )
                             .Add({}))
    , jobs_(
          gauges(registry, "baton_store_jobs", "Jobs in the store: in_progress, or by conclusion.")
      )
    , by_relay_(gauges(
                    registry,
                    "baton_store_jobs_by_relay",
                    "Jobs that the relay ended by itself and that nobody spoke of since."
      )
                    .Add({}))
    , silent_(
          gauges(registry, "baton_store_silent_dispatches", "Dispatches that nobody began.").Add({})
      )
    , waiting_(gauges(registry, "baton_letters_waiting", "Letters not yet delivered.").Add({}))
    , oldest_(gauges(
                  registry,
                  "baton_oldest_letter_age_seconds",
                  "Age of the oldest letter not yet delivered; 0 without one."
      )
                  .Add({}))
    , dead_(gauges(registry, "baton_dead_letters", "Letters that were given up.").Add({})) {
    for (const auto* superseded : {"false", "true"}) {
        silences_.Add({{"superseded", superseded}});
    }
    for (const auto* event : {"nightly", "periodic"}) {
        for (const auto outcome : kOutcomes) {
            schedules_.Add({{"event", event}, {"outcome", std::string(ports::name_of(outcome))}});
        }
    }
    for (const auto fate : kFates) {
        letters_.Add({{"sink", "pytorch-hud"}, {"outcome", std::string(domain::name_of(fate))}});
    }
    jobs_.Add(state_label("in_progress"));
    for (const auto conclusion : domain::kConclusions) {
        jobs_.Add(state_label(std::string(domain::name_of(conclusion))));
    }
}

void ResultMetrics::operator()(const ports::SilenceNoted& entry) {
    silences_.Add({{"superseded", entry.superseded ? "true" : "false"}}).Increment();
}

void ResultMetrics::operator()(const ports::JobTimedOut& /*entry*/) {
    timed_out_.Increment();
}

void ResultMetrics::operator()(const ports::ScheduleTurned& entry) {
    schedules_
        .Add({{"event", entry.event}, {"outcome", std::string(ports::name_of(entry.outcome))}})
        .Increment();
}

void ResultMetrics::operator()(const ports::PostingAttempted& entry) {
    postings_
        .Add({
            {"call", entry.created ? "create" : "change"},
            {"outcome", std::string(domain::name_of(entry.fate))},
        })
        .Increment();
}

void ResultMetrics::operator()(const ports::RerunEnded& entry) {
    reruns_
        .Add({
            {"cause", std::string(domain::name_of(entry.cause))},
            {"outcome", std::string(domain::name_of(entry.state))},
        })
        .Increment();
}

void ResultMetrics::operator()(const ports::GateMoved& entry) {
    gate_moves_.Add({{"to", entry.suspended ? "suspended" : "counting"}}).Increment();
}

void ResultMetrics::operator()(const ports::LadderMoved& entry) {
    level_moves_.Add({{"move", entry.move}}).Increment();
}

void ResultMetrics::operator()(const ports::Pruned& entry) {
    pruned_bodies_.Increment(static_cast<double>(entry.bodies));
    pruned_jobs_.Increment(static_cast<double>(entry.jobs));
    pruned_dispatches_.Increment(static_cast<double>(entry.dispatches));
}

void ResultMetrics::operator()(const ports::LetterAttempted& entry) {
    letters_.Add({{"sink", entry.sink}, {"outcome", std::string(domain::name_of(entry.fate))}}
    ).Increment();
}

void ResultMetrics::observe(const ports::ResultCounts& counts, TimePoint now) {
    jobs_.Add(state_label("in_progress")).Set(static_cast<double>(counts.in_progress));
    for (const auto conclusion : domain::kConclusions) {
        const auto found = counts.completed.find(conclusion);
        const auto number = found == counts.completed.end() ? std::size_t{0} : found->second;
        jobs_.Add(state_label(std::string(domain::name_of(conclusion))))
            .Set(static_cast<double>(number));
    }
    by_relay_.Set(static_cast<double>(counts.by_relay));
    silent_.Set(static_cast<double>(counts.silent));
    waiting_.Set(static_cast<double>(counts.outbox_waiting));
    dead_.Set(static_cast<double>(counts.dead_letters));
    // A clock that was set back must not show as a negative age.
    const auto age =
        counts.outbox_oldest ? std::max(now - *counts.outbox_oldest, Millis{0}) : Millis{0};
    oldest_.Set(std::chrono::duration<double>(age).count());
}

void ResultMetrics::forget() {
    jobs_.Add(state_label("in_progress")).Set(kUnknown);
    for (const auto conclusion : domain::kConclusions) {
        jobs_.Add(state_label(std::string(domain::name_of(conclusion)))).Set(kUnknown);
    }
    for (auto* gauge : {&by_relay_, &silent_, &waiting_, &dead_, &oldest_}) {
        gauge->Set(kUnknown);
    }
}

} // namespace baton::obs
