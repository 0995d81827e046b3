#include "baton/domain/timekeeper.hpp"

#include "baton/base/time.hpp"

#include <algorithm>
#include <chrono>

namespace baton::domain {

namespace {

using std::chrono::nanoseconds;

bool is_small(nanoseconds step) {
    return std::chrono::abs(step) <= Timekeeper::kSmallStep;
}

TimePoint as_time(nanoseconds since_1970) {
    return TimePoint(std::chrono::floor<Millis>(since_1970));
}

} // namespace

Timekeeper::Timekeeper(const Reading& first)
    : ahead_(first.machine - first.passed)
    , passed_(first.passed)
    , now_(first.machine) {}

void Timekeeper::look(const Reading& reading) {
    const auto ahead = reading.machine - reading.passed;
    if (is_small(ahead - ahead_)) {
        ahead_ = ahead;
        doubt_.reset();
        return;
    }
    if (!doubt_ || !is_small(ahead - doubt_->ahead)) {
        doubt_ = {.ahead = ahead, .since = reading.passed};
    }
    if (reading.passed - doubt_->since >= kBelievedAfter) {
        ahead_ = ahead;
        doubt_.reset();
    }
}

TimePoint Timekeeper::now(const Reading& reading) {
    const auto since = std::max(reading.passed - passed_, nanoseconds{0});
    passed_ += since;
    now_ = std::max(passed_ + ahead_, now_ + (since / 2));
    look(reading);
    now_ = std::max(passed_ + ahead_, now_);
    return as_time(now_);
}

TimePoint Timekeeper::calendar(const Reading& reading) {
    now(reading);
    return as_time(passed_ + ahead_);
}

bool Timekeeper::not_before(TimePoint when, const Reading& reading) {
    now(reading);
    const nanoseconds written = when.time_since_epoch();
    if (written - now_ > kNotBeforeMost) {
        return false;
    }
    now_ = std::max(now_, written);
    return true;
}

} // namespace baton::domain
