#include "baton/api/hud_json.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/benchmarks.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/views.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::api {

namespace json = boost::json;

namespace {

std::vector<domain::JudgedValue> judged(const ports::BenchmarkSeries& series) {
    std::vector<domain::BenchmarkValue> values;
    values.reserve(series.points.size());
    for (const auto& point : series.points) {
        values.push_back(point.value);
    }
    return domain::judge_benchmark(values, domain::better_way(series.unit));
}

json::object point_json(const ports::BenchmarkPoint& point, const domain::JudgedValue& judged) {
    return {
        {"at", to_rfc3339(point.at)},
        {"value", point.value.value},
        {"job", static_cast<std::int64_t>(point.job)},
        {"sha", point.head.text()},
        {"number", number_or_null(point.pr)},
        {"event_type", point.event_type},
        {"mark", domain::name_of(judged.mark)},
        {"usual", json_of(judged.usual)},
    };
}

/// One benchmark and how its newest value is judged.
struct Line {
    ports::BenchmarkSeries series;
    domain::JudgedValue newest;
};

json::object line_json(const Line& line) {
    const auto& newest = line.series.points.back();
    return {
        {"suite", line.series.suite},
        {"name", line.series.name},
        {"unit", line.series.unit},
        {"newest", point_json(newest, line.newest)},
        {"n", line.series.points.size()},
        {"change", json_of(domain::change_of(newest.value.value, line.newest.usual))},
    };
}

/// What is worse first, then what changed.
int place_of(domain::BenchmarkMark mark) {
    return mark == domain::BenchmarkMark::worse     ? 0
           : mark == domain::BenchmarkMark::changed ? 1
                                                    : 2;
}

Result<ports::BenchmarkQuery> wanted_of(const HudQuery& query, const Around& around) {
    ports::BenchmarkQuery wanted;
    BATON_TRY(const auto downstream, query.needed_repository("downstream"));
    BATON_TRY(const auto upstream, upstream_in(query, around));
    BATON_TRY(const auto window, query.window(around->clock.now()));
    BATON_TRY(auto pairing, around->desk.listed(downstream, upstream));
    wanted.upstream = std::move(pairing.upstream);
    wanted.downstream = std::move(pairing.downstream);
    wanted.window = window.days;
    return wanted;
}

} // namespace

Answer benchmarks(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(const auto window, query.window(around->clock.now()));
    BATON_CO_TRY(auto wanted, wanted_of(query, around));
    wanted.suite = query.text("suite");
    BATON_CO_TRY(auto page, co_await around->views.benchmarks(wanted));
    std::vector<Line> lines;
    for (auto& series : page.series) {
        const auto newest = judged(series).back();
        lines.push_back({.series = std::move(series), .newest = newest});
    }
    std::ranges::sort(lines, {}, [](const Line& line) {
        return std::tuple(place_of(line.newest.mark), line.series.suite, line.series.name);
    });
    json::array suites;
    for (const auto& suite : page.suites) {
        suites.emplace_back(suite);
    }
    co_return json::object{
        {"upstream", wanted.upstream.text()},
        {"repo", wanted.downstream.text()},
        {"window", json_of(window)},
        {"suites", std::move(suites)},
        {"rows", array_of(lines, line_json)},
        {"more", page.more},
    };
}

Answer benchmark_series(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(const auto window, query.window(around->clock.now()));
    BATON_CO_TRY(auto wanted, wanted_of(query, around));
    BATON_CO_TRY(wanted.suite, query.needed("suite"));
    BATON_CO_TRY(auto name, query.needed("name"));
    BATON_CO_TRY(const auto series, co_await around->views.benchmark_series(wanted, name));
    const auto judgements = judged(series);
    json::array points;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        const auto& point = series.points[i];
        if (point.at >= window.days.from && point.at < window.days.until) {
            points.push_back(point_json(point, judgements[i]));
        }
    }
    json::value better = nullptr;
    if (const auto way = domain::better_way(series.unit)) {
        better = *way == domain::Better::less ? "less" : "more";
    }
    co_return json::object{
        {"upstream", wanted.upstream.text()},
        {"repo", wanted.downstream.text()},
        {"window", json_of(window)},
        {"suite", series.suite},
        {"name", series.name},
        {"unit", series.unit},
        {"better", std::move(better)},
        {"points", std::move(points)},
    };
}

} // namespace baton::api
