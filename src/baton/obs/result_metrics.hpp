#pragma once

#include "baton/base/time.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/results.hpp"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>

namespace baton::obs {

/// The part of Metrics that is about results: those that did not come in time, schedules, and
/// letters to sinks. `registry` outlives it.
class ResultMetrics {
public:
    explicit ResultMetrics(prometheus::Registry& registry);

    void operator()(const ports::SilenceNoted& entry);
    void operator()(const ports::JobTimedOut& entry);
    void operator()(const ports::ScheduleTurned& entry);
    void operator()(const ports::LetterAttempted& entry);

    void observe(const ports::ResultCounts& counts, TimePoint now);

private:
    prometheus::Family<prometheus::Counter>& silences_;
    prometheus::Counter& timed_out_;
    prometheus::Family<prometheus::Counter>& schedules_;
    prometheus::Family<prometheus::Counter>& letters_;
    prometheus::Family<prometheus::Gauge>& jobs_;
    prometheus::Gauge& by_relay_;
    prometheus::Gauge& silent_;
    prometheus::Gauge& waiting_;
    prometheus::Gauge& oldest_;
    prometheus::Gauge& dead_;
};

} // namespace baton::obs
