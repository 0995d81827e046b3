#pragma once

#include "baton/base/time.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/results.hpp"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>

namespace baton::obs {

/// The part of Metrics that is about results: those that did not come in time, schedules,
/// letters to sinks, what stands on pull requests, and what is forgotten. `registry` outlives it.
class ResultMetrics {
public:
    explicit ResultMetrics(prometheus::Registry& registry);

    void operator()(const ports::SilenceNoted& entry);
    void operator()(const ports::JobTimedOut& entry);
    void operator()(const ports::ScheduleTurned& entry);
    void operator()(const ports::LetterAttempted& entry);
    void operator()(const ports::PostingAttempted& entry);
    void operator()(const ports::RerunEnded& entry);
    void operator()(const ports::GateMoved& entry);
    void operator()(const ports::LadderMoved& entry);
    void operator()(const ports::Pruned& entry);

    void observe(const ports::ResultCounts& counts, TimePoint now);

    /// What `observe` sets is NaN.
    void forget();

private:
    prometheus::Family<prometheus::Counter>& silences_;
    prometheus::Counter& timed_out_;
    prometheus::Family<prometheus::Counter>& schedules_;
    prometheus::Family<prometheus::Counter>& letters_;
    prometheus::Family<prometheus::Counter>& postings_;
    prometheus::Family<prometheus::Counter>& reruns_;
    prometheus::Family<prometheus::Counter>& gate_moves_;
    prometheus::Family<prometheus::Counter>& level_moves_;
    prometheus::Counter& pruned_bodies_;
    prometheus::Counter& pruned_jobs_;
    prometheus::Counter& pruned_dispatches_;
    prometheus::Family<prometheus::Gauge>& jobs_;
    prometheus::Gauge& by_relay_;
    prometheus::Gauge& silent_;
    prometheus::Gauge& waiting_;
    prometheus::Gauge& oldest_;
    prometheus::Gauge& dead_;
};

} // namespace baton::obs
