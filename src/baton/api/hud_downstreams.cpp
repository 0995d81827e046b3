#include "baton/api/badge.hpp"
#include "baton/api/hud_json.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/api/problem.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/report.hpp"
#include "baton/hud/audience.hpp"
#include "baton/hud/backend_page.hpp"
#include "baton/hud/pull_failures.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/hud/quality.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/failures.hpp"
#include "baton/ports/views.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

namespace asio = boost::asio;
namespace json = boost::json;

namespace {

json::object job_name_json(const ports::JobNameView& job) {
    return {
        {"workflow", job.workflow},
        {"job", job.job},
        {"cells", json_of(job.ended.cells)},
        {"rate", json_of(domain::rates_of(job.ended).final_attempt)},
    };
}

json::object step_json(const hud::OnboardingStep& step) {
    return {
        {"step", step.step},
        {"done", step.done},
        {"at", json_of(step.at)},
        {"hint", step.hint},
    };
}

/// What the job told of where it ran: an object of anything, shown as texts.
json::object environment_of(const std::string& told) {
    json::object shown;
    boost::system::error_code broken;
    const auto value = json::parse(told, broken);
    if (const auto* object = value.if_object(); !broken && object != nullptr) {
        for (const auto& [name, one] : *object) {
            const auto* text = one.if_string();
            shown[name] = text != nullptr ? std::string(*text) : json::serialize(one);
        }
    }
    return shown;
}

using Column = std::pair<std::string, std::string>; // workflow, job

/// The jobs of these rows, at most 300 of them: the most frequent, for names may be anything.
std::map<Column, std::size_t> columns_of(const std::vector<ports::GridRow>& rows) {
    constexpr std::size_t kColumnsMax = 300;
    std::map<Column, std::size_t> seen;
    for (const auto& row : rows) {
        for (const auto& cell : row.cells) {
            ++seen[{cell.workflow, cell.job}];
        }
    }
    std::vector<std::pair<std::size_t, Column>> ranked;
    ranked.reserve(seen.size());
    for (const auto& [column, times] : seen) {
        ranked.emplace_back(times, column);
    }
    std::ranges::sort(ranked, std::greater<>());
    std::map<Column, std::size_t> columns;
    for (std::size_t i = 0; i < std::min(ranked.size(), kColumnsMax); ++i) {
        columns.emplace(ranked[i].second, 0);
    }
    std::size_t place = 0;
    for (auto& [column, at] : columns) {
        at = place++;
    }
    return columns;
}

/// A row has a cell for each column.
json::object grid_of(const std::vector<ports::GridRow>& found) {
    const auto columns = columns_of(found);
    bool more = false;
    json::array heads;
    for (const auto& [name, place] : columns) {
        heads.push_back(json::object{{"workflow", name.first}, {"job", name.second}});
    }
    json::array rows;
    for (const auto& row : found) {
        json::array cells(columns.size(), nullptr);
        json::array attempts(columns.size(), 0);
        json::array jobs(columns.size(), nullptr);
        for (const auto& cell : row.cells) {
            const auto column = columns.find({cell.workflow, cell.job});
            if (column == columns.end()) {
                more = true;
                continue;
            }
            const auto place = column->second;
            cells[place] = domain::name_of(cell.outcome);
            attempts[place] = cell.attempts;
            jobs[place] = static_cast<std::int64_t>(cell.newest);
        }
        rows.push_back(json::object{
            {"number", number_or_null(row.pr)},
            {"sha", row.head.text()},
            {"event_type", row.event_type},
            {"at", to_rfc3339(row.at)},
            {"cells", std::move(cells)},
            {"attempts", std::move(attempts)},
            {"jobs", std::move(jobs)},
        });
    }
    return {
        {"columns", std::move(heads)},
        {"more_columns", more},
        {"rows", std::move(rows)},
    };
}

json::object platform_json(const hud::ShelvedAssessment* one) {
    const auto& platform = one->assessment.platform;
    return {{"id", platform.id}, {"name", platform.name}};
}

} // namespace

Answer downstream(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(auto repo, query.captured_repo(0));
    BATON_CO_TRY(auto window, query.window(around->clock.now()));
    BATON_CO_TRY(auto upstream, upstream_in(query, around));
    BATON_CO_TRY(
        const auto page,
        co_await around->desk.backend(std::move(repo), std::move(upstream), std::move(window))
    );
    json::array oncall;
    for (const auto& login : page.line.listed.oncalls) {
        oncall.emplace_back(login.text());
    }
    const auto shelf = around->quality();
    const auto platforms = hud::platforms_of(*shelf, page.line.listed.repo);
    co_return json::object{
        {"window", json_of(page.window)},
        {"downstream", json_of(page.line)},
        {"oncall", std::move(oncall)},
        {"queue", json_of(page.queue)},
        {"run", json_of(page.run)},
        {"days", array_of(page.days)},
        {"worst_jobs", array_of(page.worst_jobs, job_name_json)},
        {"gate_reason", page.line.gate_reason},
        {"onboarding", array_of(page.onboarding, step_json)},
        {"platforms", array_of(platforms, platform_json)},
    };
}

Answer grid(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(auto repo, query.captured_repo(0));
    BATON_CO_TRY(auto upstream, upstream_in(query, around));
    ports::GridQuery wanted;
    BATON_CO_TRY(wanted.event_type, query.event_type());
    BATON_CO_TRY(wanted.limit, query.limit());
    BATON_CO_TRY(wanted.before, query.number("cursor"));
    BATON_CO_TRY(const auto pairing, around->desk.listed(repo, upstream));
    wanted.upstream = pairing.upstream;
    wanted.downstream = pairing.downstream;
    const auto limit = wanted.limit;
    BATON_CO_TRY(const auto found, co_await around->views.grid(std::move(wanted)));
    auto page = grid_of(found);
    page["upstream"] = pairing.upstream.text();
    page["repo"] = pairing.downstream.text();
    const bool more = found.size() == limit;
    page["next"] = cursor_behind(more, more ? fmt::to_string(found.back().cursor) : "");
    co_return page;
}

Answer job(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(const auto id, query.captured_number(0));
    const auto wanted = static_cast<JobId>(id);
    BATON_CO_TRY(const auto known, co_await around->views.job(wanted));
    BATON_CO_TRY(
        const auto pairing, around->desk.listed(known.subject.downstream, known.subject.upstream)
    );
    auto detail = co_await around->store.report_detail(known.id);
    if (!detail && detail.error().code != Errc::not_found) {
        co_return fail(detail.error());
    }
    const auto& subject = known.subject;
    std::vector<hud::FailedTestOf> tests;
    for (const auto& test : detail ? detail->failed_tests : std::vector<domain::FailedTest>()) {
        tests.push_back({.job = known.id, .place = tests.size(), .test = test});
    }
    if (!tests.empty()) {
        BATON_CO_TRY(const auto audience, around->desk.audience(subject.upstream, {}));
        ports::CommitQuery commit{
            .upstream = subject.upstream,
            .head = subject.head,
            .event_type = subject.event_type,
            .among = audience.among(),
        };
        BATON_CO_TRY(const auto cells, co_await around->views.commit_cells(std::move(commit)));
        hud::tell_clusters(tests, cells);
    }
    co_return json::object{
        {"upstream", subject.upstream.text()},
        {"downstream", pairing.downstream.text()},
        {"number", number_or_null(subject.pr)},
        {"sha", subject.head.text()},
        {"event_type", subject.event_type},
        {"job", json_of(known)},
        {"failed_tests", array_of(tests)},
        {"environment", environment_of(detail ? detail->environment : "")},
    };
}

asio::awaitable<net::Response> badge(Around around, net::Request request) {
    const HudQuery query(request);
    constexpr std::array<std::string_view, 2> kKnown{"window", "upstream"};
    if (auto known = query.only(kKnown); !known) {
        co_return problem_of(known.error());
    }
    auto repo = query.captured_repo(0);
    auto window = query.window(around->clock.now());
    auto upstream = upstream_in(query, around);
    if (!repo || !window || !upstream) {
        const auto& error = !repo ? repo.error() : !window ? window.error() : upstream.error();
        co_return problem_of(error);
    }
    const auto line =
        co_await around->desk.line(*std::move(repo), *std::move(upstream), window->days);
    if (!line) {
        co_return problem_of(line.error());
    }
    net::Response response{.content_type = "image/svg+xml", .body = badge_of(*line)};
    response.headers.add("Cache-Control", "public, max-age=60");
    co_return response;
}

} // namespace baton::api
