#pragma once

#include "baton/base/time.hpp"
#include "baton/ports/clock.hpp"
#include "baton/sim/report.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace baton::sim {

/// A report with everything that sending it takes.
struct ReportLetter {
    Report report;
    std::string token;
    std::string body;
};

/// Plays the downstreams' scripts over HTTP: `POST` to the relay with a token of the run. Has a
/// thread of its own; the office is asked and told there. Saying something again is for the office
/// to decide.
class ReportSender {
public:
    struct Office {
        std::function<std::optional<ReportLetter>()> next; // nullopt: nothing is due now
        std::function<std::optional<TimePoint>()> next_due;
        std::function<void(Report, ReportAnswer)> done;
        std::function<void(std::string)> on_surprise;
    };

    struct Options {
        Millis wait{std::chrono::seconds{10}}; // as the published action waits
        std::size_t in_flight_max{16};
    };

    ReportSender(Office office, ports::Clock& clock, Options options);
    ReportSender(const ReportSender&) = delete;
    ReportSender& operator=(const ReportSender&) = delete;
    ~ReportSender(); // stops

    /// There may be something to say. Any thread.
    void wake();
    /// Breaks off what is under way, without a word to `done`, and joins. Idempotent.
    void stop();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace baton::sim
