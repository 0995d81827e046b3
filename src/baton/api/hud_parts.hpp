#pragma once

// What the files behind hud.hpp share: one function for each question of the API.

#include "baton/api/hud.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/hud/shown.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/operators.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::api {

using Around = std::shared_ptr<const HudSurroundings>;
using Answer = boost::asio::awaitable<Result<boost::json::object>>;
using Asked = Answer (*)(Around, net::Request);

// --- hud.cpp
Answer overview(Around around, net::Request request);
Answer pull(Around around, net::Request request);
Answer pulls(Around around, net::Request request);

// --- hud_downstreams.cpp
Answer downstream(Around around, net::Request request);
Answer grid(Around around, net::Request request);
Answer job(Around around, net::Request request);
boost::asio::awaitable<net::Response> badge(Around around, net::Request request);

// --- hud_trends.cpp
Answer job_history(Around around, net::Request request);
Answer trends(Around around, net::Request request);
Answer nightly(Around around, net::Request request);
Answer suites(Around around, net::Request request);

// --- hud_levels.cpp
Answer levels(Around around, net::Request request);
Answer level(Around around, net::Request request);
Answer level_transitions(Around around, net::Request request);

// --- hud_quality.cpp
Answer quality(Around around, net::Request request);
Answer quality_platform(Around around, net::Request request);
Answer quality_release(Around around, net::Request request);
Answer quality_criteria_list(Around around, net::Request request);
Answer quality_criteria(Around around, net::Request request);

// --- hud_quality_twins.cpp
Answer quality_gap(Around around, net::Request request);
Answer quality_compare(Around around, net::Request request);

// --- hud_benchmarks.cpp
Answer benchmarks(Around around, net::Request request);
Answer benchmark_series(Around around, net::Request request);

// --- hud_failures.cpp
Answer clusters(Around around, net::Request request);
Answer cluster(Around around, net::Request request);
Answer flaky(Around around, net::Request request);
Answer tests(Around around, net::Request request);

// --- hud_deliveries.cpp
Answer deliveries(Around around, net::Request request);
Answer delivery(Around around, net::Request request);

// --- hud_dead.cpp
Answer dead(Around around, net::Request request);

// --- hud_refused.cpp
Answer refused(Around around, net::Request request);

// --- hud_allowlists.cpp
Answer allowlists(Around around, net::Request request);

// --- hud_status.cpp
Answer status(Around around, net::Request request);

// --- hud_notes.cpp
Answer notes(Around around, net::Request request);
Answer audit(Around around, net::Request request);
boost::json::object json_of(const ports::Note& note);
bool is_noted_about(std::string_view word); // pull, downstream, delivery, cluster

/// The routes of what people do, of tables as files and of feeds.
std::vector<net::Route> action_routes(const Around& around);
std::vector<net::Route> export_routes(const Around& around);
std::vector<net::Route> feed_routes(const Around& around);
/// Pages under /quality as Markdown, and badges of platforms.
std::vector<net::Route> quality_twin_routes(const Around& around);

/// The parameter `upstream`: one of this relay's. `invalid`, not_found.
Result<std::optional<RepoName>> upstream_in(const HudQuery& query, const Around& around);

/// `next` of a page: null behind the last one.
inline boost::json::value cursor_behind(bool more, const std::string& cursor) {
    return more ? boost::json::value(cursor) : boost::json::value(nullptr);
}

inline boost::json::value text_or_null(std::string_view text) {
    return text.empty() ? boost::json::value(nullptr) : boost::json::value(text);
}

inline boost::json::value number_or_null(std::optional<PrNumber> number) {
    return number ? boost::json::value(static_cast<std::int64_t>(*number))
                  : boost::json::value(nullptr);
}

} // namespace baton::api
