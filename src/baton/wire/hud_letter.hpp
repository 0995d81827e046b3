#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"

#include <string>

namespace baton::wire {

/// One result on its way to PyTorch's HUD.
struct HudLetter {
    domain::Job job;     // as it stands now
    DeliveryId delivery; // of its dispatch; empty: a self-report
    std::string body;    // the callback's, without its token; empty: the relay concluded by itself
    TimePoint at{};      // when that was
};

/// What `POST /crcr/results` takes:
///
///     {"trusted": {"ci_metrics": {"queue_time": S, "execution_time": S}, "verified_repo": "o/r",
///         "downstream_repo_level": "L2"}, "untrusted": {"callback_payload": BODY}}
///
/// Times are seconds by our clock; the queue is told with a start, the execution with an end, the
/// other one is null. A job that we ended ourselves is told as its downstream would have done.
std::string hud_body(const HudLetter& letter);

} // namespace baton::wire
