#include "baton/domain/outage.hpp"

#include "baton/base/time.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

namespace baton::domain {

namespace {

/// In order, none touching another: time that two pauses share is cut out once.
std::vector<TimeSpan> joined(std::vector<TimeSpan> spans) {
    std::ranges::sort(spans, {}, &TimeSpan::from);
    std::vector<TimeSpan> all;
    for (const auto& span : spans) {
        if (span.until <= span.from) {
            continue;
        }
        if (!all.empty() && span.from <= all.back().until) {
            all.back().until = std::max(all.back().until, span.until);
        } else {
            all.push_back(span);
        }
    }
    return all;
}

bool is_in(TimePoint when, const std::vector<TimeSpan>& spans) {
    return std::ranges::any_of(spans, [when](const TimeSpan& span) {
        return span.from <= when && when < span.until;
    });
}

Millis length_of(TimeSpan whole, const std::vector<TimeSpan>& cut) {
    auto length = whole.until - whole.from;
    for (const auto& span : cut) {
        const auto from = std::max(span.from, whole.from);
        const auto until = std::min(span.until, whole.until);
        length -= std::max(until - from, Millis{});
    }
    return std::max(length, Millis{});
}

} // namespace

std::vector<Outage>
outages_of(std::vector<ExpectedRun> runs, const std::vector<TimeSpan>& planned, TimePoint as_of) {
    const auto cut = joined(planned);
    std::erase_if(runs, [&cut](const ExpectedRun& run) { return is_in(run.due, cut); });
    std::ranges::sort(runs, {}, [](const ExpectedRun& run) {
        return std::tuple(run.due, run.good, run.completed_at);
    });
    std::vector<Outage> outages;
    std::optional<Outage> series;
    const auto close = [&](std::optional<TimePoint> end) {
        series->end = end;
        series->length = length_of({.from = series->start, .until = end.value_or(as_of)}, cut);
        if (series->bad >= kOutageRuns || series->length >= kOutageLength) {
            outages.push_back(*series);
        }
        series.reset();
    };
    for (const auto& run : runs) {
        if (!run.good) {
            series = series.value_or(Outage{.start = run.due});
            ++series->bad;
        } else if (series) {
            close(run.completed_at.value_or(run.due));
        }
    }
    if (series) {
        close(std::nullopt);
    }
    return outages;
}

Millis longest_of(const std::vector<Outage>& outages) {
    Millis longest{};
    for (const auto& outage : outages) {
        longest = std::max(longest, outage.length);
    }
    return longest;
}

bool is_flaky_share_low(std::size_t flaky, std::size_t known) {
    return flaky * 20 < known;
}

} // namespace baton::domain
