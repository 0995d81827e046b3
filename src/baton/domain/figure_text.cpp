#include "baton/domain/figure_text.hpp"

#include "baton/domain/ladder_day.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

namespace baton::domain {

namespace {

constexpr double kSecondMs = 1000;
constexpr long kMinute = 60;
constexpr long kHour = 3600;

std::string time_text(double ms) {
    const auto seconds = std::lround(ms / kSecondMs);
    if (seconds < kMinute) {
        return fmt::format("{} s", seconds);
    }
    if (seconds < kHour) {
        return fmt::format("{} min", std::lround(static_cast<double>(seconds) / kMinute));
    }
    const auto minutes = std::lround(static_cast<double>(seconds) / kMinute);
    return minutes % 60 == 0 ? fmt::format("{} h", minutes / 60)
                             : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

} // namespace

FigureUnit unit_of(Figure figure) {
    switch (figure) {
    case Figure::tenure_l2:
    case Figure::tenure_l3:
    case Figure::days_with_data:
        return FigureUnit::days;
    case Figure::events:
    case Figure::limited:
        return FigureUnit::count;
    case Figure::queue_mean:
    case Figure::queue_p50:
    case Figure::queue_p95:
    case Figure::e2e_p50:
    case Figure::e2e_p95:
    case Figure::oncall_p50:
        return FigureUnit::time;
    case Figure::silence:
        return FigureUnit::hours;
    case Figure::pass_raw:
    case Figure::pass_adj:
    case Figure::pass_run:
    case Figure::answered:
    case Figure::infra_fail:
    case Figure::flake_rate:
    case Figure::false_alarm:
    case Figure::timeout_rate:
    case Figure::overrun_rate:
    case Figure::excluded_share:
    case Figure::device_named:
    case Figure::invalid_rate:
    case Figure::gate_coverage:
        break;
    }
    return FigureUnit::share;
}

std::string_view name_of(FigureUnit unit) {
    switch (unit) {
    case FigureUnit::share:
        return "share";
    case FigureUnit::time:
        return "ms";
    case FigureUnit::hours:
        return "hours";
    case FigureUnit::days:
        return "days";
    case FigureUnit::count:
        return "count";
    }
    return "";
}

bool is_share(Figure figure) {
    return unit_of(figure) == FigureUnit::share;
}

std::string_view phrase_of(Figure figure) {
    switch (figure) {
    case Figure::tenure_l2:
        return "time at L2 or above";
    case Figure::tenure_l3:
        return "time at L3 or above";
    case Figure::events:
        return "events";
    case Figure::days_with_data:
        return "days with data";
    case Figure::pass_raw:
        return "raw pass rate";
    case Figure::pass_adj:
        return "pass rate after exclusions";
    case Figure::pass_run:
        return "rate of events that are all green";
    case Figure::answered:
        return "rate of events that are answered";
    case Figure::infra_fail:
        return "share of failures of machines";
    case Figure::flake_rate:
        return "share of flakes";
    case Figure::false_alarm:
        return "share of false alarms";
    case Figure::timeout_rate:
        return "share of time-outs";
    case Figure::overrun_rate:
        return "share of jobs over 3 hours";
    case Figure::excluded_share:
        return "share set aside";
    case Figure::device_named:
        return "share of runs that name the device";
    case Figure::invalid_rate:
        return "share of invalid reports";
    case Figure::limited:
        return "reports over the limit";
    case Figure::gate_coverage:
        return "share of merges with a verdict";
    case Figure::queue_mean:
        return "mean wait for a machine";
    case Figure::queue_p50:
        return "median wait for a machine";
    case Figure::queue_p95:
        return "wait for a machine, P95";
    case Figure::e2e_p50:
        return "median from event to result";
    case Figure::e2e_p95:
        return "event to result, P95";
    case Figure::silence:
        return "nothing answered for";
    case Figure::oncall_p50:
        return "median answer of the on-call";
    }
    return "";
}

std::string figure_text(Figure figure, double value) {
    switch (unit_of(figure)) {
    case FigureUnit::share:
        return fmt::format("{:.1f} %", value * 100);
    case FigureUnit::time:
        return time_text(value);
    case FigureUnit::hours:
        return fmt::format("{:.0f} h", value);
    case FigureUnit::days:
        return fmt::format("{:.0f} {}", value, value == 1 ? "day" : "days");
    case FigureUnit::count:
        return fmt::format("{:.0f}", value);
    }
    return {};
}

} // namespace baton::domain
