#include "baton/api/hud_json.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/signature.hpp"
#include "baton/hud/audience.hpp"
#include "baton/hud/failures.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/failures.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

namespace json = boost::json;

namespace {

constexpr std::size_t kExamples = 3;
constexpr std::size_t kClustersOfTestMax = 100;

// --- cursors: a time and what tells two of one moment apart

tl::unexpected<Error> wrong_cursor() {
    return fail(Errc::invalid, "cursor must be `next` of the page before");
}

struct CursorParts {
    TimePoint at{};
    std::string rest;
};

Result<std::optional<CursorParts>> cursor_in(const HudQuery& query) {
    const auto cursor = query.text("cursor");
    if (cursor.empty()) {
        return std::nullopt;
    }
    const auto colon = cursor.find(':');
    const auto when = whole_number(std::string_view(cursor).substr(0, colon));
    if (colon == std::string::npos || !when) {
        return wrong_cursor();
    }
    return CursorParts{.at = from_ms(*when), .rest = cursor.substr(colon + 1)};
}

Result<std::optional<ports::ClusterPlace>> cluster_place(const HudQuery& query) {
    BATON_TRY(const auto parts, cursor_in(query));
    if (!parts) {
        return std::nullopt;
    }
    const auto cluster = domain::cluster_named(parts->rest);
    if (!cluster) {
        return wrong_cursor();
    }
    return ports::ClusterPlace{.last_seen = parts->at, .cluster = *cluster};
}

Result<std::optional<ports::OccurrenceQuery::Place>> occurrence_place(const HudQuery& query) {
    BATON_TRY(const auto parts, cursor_in(query));
    if (!parts) {
        return std::nullopt;
    }
    const auto id = whole_number(parts->rest);
    if (!id) {
        return wrong_cursor();
    }
    return ports::OccurrenceQuery::Place{.at = parts->at, .id = *id};
}

json::value next_of(const std::vector<ports::Occurrence>& found, std::size_t limit) {
    const bool more = found.size() == limit;
    return cursor_behind(
        more, more ? fmt::format("{}:{}", to_ms(found.back().at), found.back().id) : ""
    );
}

Result<hud::Audience> audience_of(const Around& around, const HudQuery& query) {
    BATON_TRY(const auto upstream, upstream_in(query, around));
    BATON_TRY(const auto downstream, query.repository("downstream"));
    return around->desk.audience(upstream, downstream);
}

// --- schemas

json::object cluster_json(ports::ClusterView cluster, const hud::Audience& audience) {
    std::ranges::sort(
        cluster.downstreams, std::greater<>(), &ports::ClusterView::Downstream::failures
    );
    std::size_t failures = 0;
    json::array downstreams;
    for (const auto& one : cluster.downstreams) {
        failures += one.failures;
        downstreams.push_back(json::object{
            {"repo", one.repo.text()},
            {"level", domain::name_of(audience.level_of(cluster.upstream, one.repo))},
            {"failures", one.failures},
            {"first_seen", to_rfc3339(one.first_seen)},
            {"last_seen", to_rfc3339(one.last_seen)},
        });
    }
    json::array numbers;
    for (const auto number : cluster.newest_pulls) {
        numbers.push_back(static_cast<std::int64_t>(number));
    }
    return {
        {"id", domain::to_text(cluster.id)},
        {"upstream", cluster.upstream.text()},
        {"signature", cluster.signature},
        {"test", cluster.test},
        {"message", cluster.message},
        {"tests", cluster.tests},
        {"failures", failures},
        {"downstreams", std::move(downstreams)},
        {"pulls", json::object{{"n", cluster.pulls}, {"numbers", std::move(numbers)}}},
        {"on_base", cluster.on_trunk},
        {"first_seen", to_rfc3339(cluster.first_seen)},
        {"last_seen", to_rfc3339(cluster.last_seen)},
        {"verdict", domain::name_of(hud::verdict_of(cluster))},
    };
}

json::object occurrence_json(const ports::Occurrence& one) {
    return {
        {"job", static_cast<std::int64_t>(one.job)},
        {"downstream", one.downstream.text()},
        {"number", number_or_null(one.pr)},
        {"sha", one.head.text()},
        {"event_type", one.event_type},
        {"at", to_rfc3339(one.at)},
        {"test", one.test},
        {"message", one.message},
    };
}

json::object day_json(const ports::ClusterDayView& day) {
    return {
        {"day", date_of(day.day)},
        {"failures", day.failures},
    };
}

json::object example_json(const ports::FlakyExample& one) {
    return {
        {"number", number_or_null(one.pr)},
        {"sha", one.head.text()},
        {"event_type", one.event_type},
        {"at", to_rfc3339(one.at)},
        {"job", static_cast<std::int64_t>(one.job)},
    };
}

json::object flaky_json(const ports::FlakyView& job, const hud::Audience& audience) {
    return {
        {"upstream", job.at.upstream.text()},
        {"downstream", job.at.downstream.text()},
        {"level", domain::name_of(audience.level_of(job.at.upstream, job.at.downstream))},
        {"workflow", job.workflow},
        {"job", job.job},
        {"flaky", job.flaky},
        {"n", job.passed},
        {"rate", json_of(hud::flake_rate_of(job))},
    };
}

/// Downstreams, clusters and dates of one test.
json::object history_json(std::vector<ports::TestView> found, const hud::Audience& audience) {
    std::ranges::sort(found, std::greater<>(), &ports::TestView::last_seen);
    std::size_t failures = 0;
    std::optional<TimePoint> first;
    std::set<domain::ClusterId> clusters;
    json::array downstreams;
    for (const auto& one : found) {
        failures += one.failures;
        first = std::min(first.value_or(one.first_seen), one.first_seen);
        clusters.insert(one.clusters.begin(), one.clusters.end());
        downstreams.push_back(json::object{
            {"upstream", one.at.upstream.text()},
            {"repo", one.at.downstream.text()},
            {"level", domain::name_of(audience.level_of(one.at.upstream, one.at.downstream))},
            {"failures", one.failures},
            {"first_seen", to_rfc3339(one.first_seen)},
            {"last_seen", to_rfc3339(one.last_seen)},
        });
    }
    json::array ids;
    for (const auto cluster : clusters) {
        if (ids.size() < kClustersOfTestMax) {
            ids.emplace_back(domain::to_text(cluster));
        }
    }
    const auto last = found.empty() ? std::nullopt : std::optional(found.front().last_seen);
    return {
        {"downstreams", std::move(downstreams)},
        {"clusters", std::move(ids)},
        {"failures", failures},
        {"first_seen", json_of(first)},
        {"last_seen", json_of(last)},
    };
}

} // namespace

Answer clusters(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(const auto window, query.window(around->clock.now()));
    BATON_CO_TRY(const auto audience, audience_of(around, query));
    ports::ClusterQuery wanted{.among = audience.among(), .window = window.days, .before = {}};
    BATON_CO_TRY(wanted.before, cluster_place(query));
    BATON_CO_TRY(wanted.limit, query.limit());
    BATON_CO_TRY(const auto page, co_await around->views.clusters(std::move(wanted)));
    json::array rows;
    for (const auto& row : page.rows) {
        rows.push_back(cluster_json(row, audience));
    }
    const auto next =
        page.next
            ? fmt::format("{}:{}", to_ms(page.next->last_seen), domain::to_text(page.next->cluster))
            : std::string();
    co_return json::object{
        {"window", json_of(window)},
        {"rows", std::move(rows)},
        {"next", cursor_behind(page.next.has_value(), next)},
    };
}

Answer cluster(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(const auto name, query.captured(0));
    const auto id = domain::cluster_named(name);
    if (!id) {
        co_return fail(Errc::invalid, "the path must end with the 16 hex digits of a cluster");
    }
    BATON_CO_TRY(const auto window, query.window(around->clock.now()));
    BATON_CO_TRY(const auto audience, around->desk.audience({}, {}));
    ports::OneClusterQuery one{.id = *id, .among = audience.among(), .window = window.days};
    ports::OccurrenceQuery seen{.among = audience.among(), .cluster = id, .test = {}, .before = {}};
    BATON_CO_TRY(seen.before, occurrence_place(query));
    BATON_CO_TRY(seen.limit, query.limit());
    const auto limit = seen.limit;
    BATON_CO_TRY(const auto view, co_await around->views.cluster(one));
    BATON_CO_TRY(const auto days, co_await around->views.cluster_days(std::move(one)));
    BATON_CO_TRY(const auto found, co_await around->views.occurrences(std::move(seen)));
    co_return json::object{
        {"window", json_of(window)},
        {"cluster", cluster_json(view, audience)},
        {"days", array_of(days, day_json)},
        {"occurrences", array_of(found, occurrence_json)},
        {"next", next_of(found, limit)},
    };
}

Answer flaky(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(const auto window, query.window(around->clock.now()));
    BATON_CO_TRY(const auto limit, query.limit());
    BATON_CO_TRY(const auto audience, audience_of(around, query));
    BATON_CO_TRY(auto found, co_await around->views.flaky(audience.among(), window.days));
    hud::rank(found);
    const auto page = hud::page_behind(std::move(found), query.text("cursor"), limit);
    if (!page) {
        co_return wrong_cursor();
    }
    json::array rows;
    for (const auto& job : page->rows) {
        BATON_CO_TRY(const auto examples, co_await around->views.flaky_examples(job, kExamples));
        auto row = flaky_json(job, audience);
        row["examples"] = array_of(examples, example_json);
        rows.push_back(std::move(row));
    }
    co_return json::object{
        {"window", json_of(window)},
        {"rows", std::move(rows)},
        {"next", cursor_behind(!page->next.empty(), page->next)},
    };
}

Answer tests(Around around, net::Request request) {
    const HudQuery query(request);
    const auto name = query.text("name");
    if (name.empty()) {
        co_return fail(Errc::invalid, "name must be the name of a test, as it was reported");
    }
    BATON_CO_TRY(const auto audience, audience_of(around, query));
    ports::OccurrenceQuery seen{
        .among = audience.among(), .cluster = {}, .test = name, .before = {}
    };
    BATON_CO_TRY(seen.before, occurrence_place(query));
    BATON_CO_TRY(seen.limit, query.limit());
    const auto limit = seen.limit;
    BATON_CO_TRY(auto history, co_await around->views.test_history(name, audience.among()));
    BATON_CO_TRY(const auto found, co_await around->views.occurrences(std::move(seen)));
    auto page = history_json(std::move(history), audience);
    page["name"] = name;
    page["occurrences"] = array_of(found, occurrence_json);
    page["next"] = next_of(found, limit);
    co_return page;
}

} // namespace baton::api
