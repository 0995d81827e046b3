#include "baton/quality/metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace baton::quality {

std::string_view name_of(MetricVerdict verdict) {
    switch (verdict) {
    case MetricVerdict::measured:
        return "measured";
    case MetricVerdict::met:
        return "met";
    case MetricVerdict::unmet:
        return "unmet";
    case MetricVerdict::pending:
        return "pending";
    case MetricVerdict::insufficient:
        return "insufficient";
    case MetricVerdict::incomplete:
        return "incomplete";
    }
    return "";
}

bool is_conclusive(MetricVerdict verdict) {
    return verdict == MetricVerdict::measured || verdict == MetricVerdict::met ||
           verdict == MetricVerdict::unmet;
}

bool lacks_data(Metric& metric, std::string_view what) {
    if (metric.n >= metric.least) {
        return false;
    }
    metric.verdict = MetricVerdict::insufficient;
    metric.reason = fmt::format("{} {}, at least {} are needed", metric.n, what, metric.least);
    return true;
}

const Metric* Snapshot::find(std::string_view name) const {
    const auto found = std::ranges::find(metrics, name, &Metric::name);
    return found == metrics.end() ? nullptr : &*found;
}

} // namespace baton::quality
