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

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace baton::api {

namespace asio = boost::asio;
namespace json = boost::json;

namespace {

Answer overview(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(auto window, query.window(around->clock.now()));
    BATON_CO_TRY(auto upstream, query.repository("upstream"));
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

json::object pull_row_json(const ports::PullRow& row) {
    json::array backends;
    for (const auto& backend : row.backends) {
        const auto standing = hud::standing_of(backend.cells, backend.state, backend.silent);
        backends.push_back(json::object{
            {"repo", backend.downstream.text()},
            {"level", domain::name_of(backend.level)},
            {"outcome", hud::name_of(standing)},
        });
    }
    return {
        {"upstream", row.upstream.text()},
        {"number", static_cast<std::int64_t>(row.number)},
        {"open", row.open},
        {"draft", row.draft},
        {"author", row.author},
        {"head", row.head.text()},
        {"updated_at", to_rfc3339(row.updated_at)},
        {"backends", std::move(backends)},
    };
}

Answer pulls(Around around, net::Request request) {
    const HudQuery query(request);
    ports::PullQuery wanted;
    BATON_CO_TRY(wanted.upstream, query.repository("upstream"));
    BATON_CO_TRY(wanted.state, query.pull_state());
    BATON_CO_TRY(wanted.before, query.place());
    BATON_CO_TRY(wanted.limit, query.limit());
    wanted.author = query.text("author");
    const auto limit = wanted.limit;
    BATON_CO_TRY(auto found, co_await around->views.pulls(std::move(wanted)));
    hud::hide(found, around->desk.shown());
    const bool more = found.size() == limit;
    auto next = cursor_behind(more, more ? cursor_of(found.back()) : "");
    co_return json::object{{"rows", array_of(found, pull_row_json)}, {"next", std::move(next)}};
}

/// The newest id is asked for before the facts are: an answer may be newer than it says, never
/// older.
asio::awaitable<net::Response>
answered(Around around, net::Request request, Answer (*answer)(Around, net::Request)) {
    const auto head = request.head;
    const auto as_of = around->clock.now();
    const auto news = co_await around->views.news(0, 0);
    if (!news) {
        co_return problem_of(news.error());
    }
    const auto shown = co_await answer(around, std::move(request));
    if (!shown) {
        co_return problem_of(shown.error());
    }
    co_return fresh_json(head, {.as_of = as_of, .stream_id = news->newest}, *shown);
}

net::Route reading(Around around, std::string path, Answer (*answer)(Around, net::Request)) {
    return {
        .method = "GET",
        .path = std::move(path),
        .handler = [around = std::move(around), answer](net::Request request
                   ) { return answered(around, std::move(request), answer); },
    };
}

} // namespace

std::vector<net::Route> hud_routes(HudSurroundings surroundings) {
    const auto around = std::make_shared<const HudSurroundings>(std::move(surroundings));
    std::vector<net::Route> routes;
    routes.push_back(reading(around, "/api/v1/overview", overview));
    routes.push_back(reading(around, "/api/v1/pulls", pulls));
    routes.push_back(reading(around, "/api/v1/pulls/{}/{}/{}", pull));
    routes.push_back(reading(around, "/api/v1/downstreams/{}/{}", downstream));
    routes.push_back(reading(around, "/api/v1/downstreams/{}/{}/grid", grid));
    routes.push_back(reading(around, "/api/v1/jobs/{}", job));
    routes.push_back(reading(around, "/api/v1/clusters", clusters));
    routes.push_back(reading(around, "/api/v1/clusters/{}", cluster));
    routes.push_back(reading(around, "/api/v1/flaky", flaky));
    routes.push_back(reading(around, "/api/v1/tests", tests));
    routes.push_back(reading(around, "/api/v1/deliveries", deliveries));
    routes.push_back(reading(around, "/api/v1/deliveries/{}", delivery));
    routes.push_back(reading(around, "/api/v1/dead", dead));
    routes.push_back({
        .method = "GET",
        .path = "/badge/{}/{}",
        .handler = [around](net::Request request) { return badge(around, std::move(request)); },
    });
    routes.push_back({
        .method = "POST",
        .path = "/api/v1/deliveries/{}/redeliver",
        .handler = [around](net::Request request) { return redeliver(around, std::move(request)); },
    });
    return routes;
}

} // namespace baton::api
