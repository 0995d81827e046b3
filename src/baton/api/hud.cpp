#include "baton/api/hud.hpp"

#include "baton/api/hud_json.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/api/problem.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/hud/shown.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/views.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

namespace asio = boost::asio;
namespace json = boost::json;

Answer overview(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(auto window, query.window(around->clock.now()));
    BATON_CO_TRY(auto upstream, upstream_in(query, around));
    BATON_CO_TRY(
        const auto page, co_await around->desk.overview(std::move(window), std::move(upstream))
    );
    co_return json_of(page);
}

// --- pull requests

Answer pull(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(auto upstream, query.captured_repo(0));
    BATON_CO_TRY(const auto number, query.captured_number(2));
    BATON_CO_TRY(auto sha, query.sha());
    const auto link =
        around->github_url.empty()
            ? std::string()
            : fmt::format("{}/{}/pull/{}", around->github_url, upstream.text(), number);
    const auto pr = static_cast<PrNumber>(number);
    BATON_CO_TRY(
        const auto page, co_await around->desk.pull(std::move(upstream), pr, std::move(sha))
    );
    auto shown = json_of(page);
    shown["github_url"] = link;
    co_return shown;
}

namespace {

json::object pull_row_json(const ports::PullRow& row) {
    json::array backends;
    for (const auto& backend : row.backends) {
        backends.push_back(json::object{
            {"repo", backend.downstream.text()},
            {"level", domain::name_of(backend.level)},
            {"outcome", hud::name_of(hud::standing_of(backend))},
        });
    }
    return {
        {"upstream", row.upstream.text()},
        {"number", static_cast<std::int64_t>(row.number)},
        {"open", row.open},
        {"draft", row.draft},
        {"author", row.author},
        {"title", row.title},
        {"head", row.head.text()},
        {"updated_at", to_rfc3339(row.updated_at)},
        {"backends", std::move(backends)},
    };
}

} // namespace

Answer pulls(Around around, net::Request request) {
    const HudQuery query(request);
    ports::PullQuery wanted;
    BATON_CO_TRY(wanted.upstream, upstream_in(query, around));
    BATON_CO_TRY(wanted.state, query.pull_state());
    BATON_CO_TRY(wanted.before, query.place());
    BATON_CO_TRY(wanted.limit, query.limit());
    wanted.author = query.text("author");
    BATON_CO_TRY(wanted.level, query.level());
    BATON_CO_TRY(const auto wish, query.wish());
    BATON_CO_TRY(const auto list, co_await around->desk.pulls(std::move(wanted), wish));
    auto next = cursor_behind(list.next.has_value(), list.next ? cursor_of(*list.next) : "");
    co_return json::object{{"rows", array_of(list.rows, pull_row_json)}, {"next", std::move(next)}};
}

Result<std::optional<RepoName>> upstream_in(const HudQuery& query, const Around& around) {
    BATON_TRY(auto upstream, query.repository("upstream"));
    if (upstream && std::ranges::find(around->upstreams, *upstream) == around->upstreams.end()) {
        return fail(
            Errc::not_found, fmt::format("{} is no upstream of this relay", upstream->text())
        );
    }
    return upstream;
}

namespace {

/// A question of the API: where it is asked, the names that its query may have, who answers.
struct Question {
    std::string_view path;
    Asked answer;
    std::vector<std::string_view> parameters;
};

/// The newest id is asked for before the facts are: an answer may be newer than it says, never
/// older.
asio::awaitable<net::Response>
answered(Around around, net::Request request, std::shared_ptr<const Question> question) {
    const auto head = request.head;
    const auto as_of = around->clock.now();
    if (auto known = HudQuery(request).only(question->parameters); !known) {
        co_return problem_of(known.error());
    }
    const auto news = co_await around->views.news(0, 0);
    if (!news) {
        co_return problem_of(news.error());
    }
    const auto shown = co_await question->answer(around, std::move(request));
    if (!shown) {
        co_return problem_of(shown.error());
    }
    co_return fresh_json(head, {.as_of = as_of, .stream_id = news->newest}, *shown);
}

net::Route route_of(const Around& around, Question question) {
    auto path = std::string(question.path);
    auto kept = std::make_shared<const Question>(std::move(question));
    return {
        .method = "GET",
        .path = std::move(path),
        .handler = [around, kept](net::Request request
                   ) { return answered(around, std::move(request), kept); },
    };
}

std::vector<Question> questions() {
    return {
        {"/api/v1/overview", overview, {"window", "upstream"}},
        {"/api/v1/pulls",
         pulls,
         {"upstream", "state", "author", "standing", "level", "limit", "cursor"}},
        {"/api/v1/pulls/{}/{}/{}", pull, {"sha"}},
        {"/api/v1/downstreams/{}/{}", downstream, {"window", "upstream"}},
        {"/api/v1/downstreams/{}/{}/grid", grid, {"upstream", "event", "limit", "cursor"}},
        {"/api/v1/downstreams/{}/{}/job",
         job_history,
         {"workflow", "job", "event", "window", "upstream", "limit", "cursor"}},
        {"/api/v1/jobs/{}", job, {}},
        {"/api/v1/trends", trends, {"window", "upstream", "downstream"}},
        {"/api/v1/nightly", nightly, {"weeks", "upstream", "downstream"}},
        {"/api/v1/levels", levels, {"upstream"}},
        {"/api/v1/levels/transitions",
         level_transitions,
         {"upstream", "downstream", "limit", "cursor"}},
        {"/api/v1/downstreams/{}/{}/level", level, {"upstream"}},
        {"/api/v1/quality", quality, {}},
        {"/api/v1/quality/criteria", quality_criteria_list, {}},
        {"/api/v1/quality/criteria/{}/{}", quality_criteria, {}},
        {"/api/v1/quality/{}", quality_platform, {}},
        {"/api/v1/quality/{}/{}", quality_release, {}},
        {"/quality.json", quality, {}},
        {"/quality/criteria.json", quality_criteria_list, {}},
        {"/quality/criteria/{}/{}.json", quality_criteria, {}},
        {"/quality/{}.json", quality_platform, {}},
        {"/quality/{}/{}.json", quality_release, {}},
        {"/quality/{}/gap.json", quality_gap, {"release"}},
        {"/quality/compare.json", quality_compare, {"a", "b"}},
        {"/api/v1/suites", suites, {"upstream", "event", "sha"}},
        {"/api/v1/benchmarks", benchmarks, {"downstream", "upstream", "window", "suite"}},
        {"/api/v1/benchmarks/series",
         benchmark_series,
         {"downstream", "upstream", "window", "suite", "name"}},
        {"/api/v1/clusters", clusters, {"window", "upstream", "downstream", "limit", "cursor"}},
        {"/api/v1/clusters/{}", cluster, {"window", "limit", "cursor"}},
        {"/api/v1/flaky", flaky, {"window", "upstream", "downstream", "limit", "cursor"}},
        {"/api/v1/tests", tests, {"name", "upstream", "downstream", "limit", "cursor"}},
        {"/api/v1/deliveries", deliveries, {"event", "number", "state", "limit", "cursor"}},
        {"/api/v1/deliveries/{}", delivery, {}},
        {"/api/v1/dead", dead, {"downstream", "reason", "kind", "limit", "cursor"}},
        {"/api/v1/refused", refused, {"downstream", "reason", "limit", "cursor"}},
        {"/api/v1/allowlists", allowlists, {"upstream"}},
        {"/api/v1/status", status, {}},
        {"/api/v1/notes", notes, {"about", "subject", "limit", "cursor"}},
        {"/api/v1/audit", audit, {"action", "limit", "cursor"}},
    };
}

} // namespace

std::vector<net::Route> hud_routes(HudSurroundings surroundings) {
    const auto around = std::make_shared<const HudSurroundings>(std::move(surroundings));
    std::vector<net::Route> routes;
    for (auto& question : questions()) {
        routes.push_back(route_of(around, std::move(question)));
    }
    routes.push_back({
        .method = "GET",
        .path = "/badge/{}/{}.svg",
        .handler = [around](net::Request request) { return badge(around, std::move(request)); },
    });
    for (auto&& more :
         {action_routes(around),
          export_routes(around),
          feed_routes(around),
          quality_twin_routes(around)}) {
        routes.insert(routes.end(), more.begin(), more.end());
    }
    return routes;
}

} // namespace baton::api
