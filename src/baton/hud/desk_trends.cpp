#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/hud/desk.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/nightly.hpp"
#include "baton/hud/suites.hpp"
#include "baton/hud/trends.hpp"
#include "baton/hud/window.hpp"
#include "baton/ports/views.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

namespace baton::hud {

Desk::Awaitable<std::vector<DownstreamLine>>
Desk::lines(std::optional<RepoName> upstream, std::optional<RepoName> downstream) {
    if (downstream) {
        BATON_CO_TRY(const auto pairing, listed(*downstream, upstream));
        upstream = pairing.upstream;
    }
    const auto window = window_named("1d", sources_.clock.now());
    BATON_CO_TRY(const auto facts, co_await downstream_facts(window->days));
    auto all = lines_of(facts);
    std::erase_if(all, [&](const DownstreamLine& line) {
        return (upstream && line.upstream != *upstream) ||
               (downstream && line.listed.repo != *downstream);
    });
    co_return all;
}

Desk::Awaitable<Trends>
Desk::trends(Window window, std::optional<RepoName> upstream, std::optional<RepoName> downstream) {
    TrendFacts facts;
    BATON_CO_TRY(facts.lines, co_await lines(std::move(upstream), downstream));
    BATON_CO_TRY(facts.days, co_await sources_.views.all_days(with_as_many_before(window)));
    if (downstream && !facts.lines.empty()) {
        const auto& line = facts.lines.front();
        ports::DownstreamQuery about{
            .upstream = line.upstream, .downstream = line.listed.repo, .window = window.days
        };
        BATON_CO_TRY(facts.times, co_await sources_.views.day_times(std::move(about)));
    }
    facts.window = std::move(window);
    co_return trends_of(std::move(facts));
}

Desk::Awaitable<std::vector<NightlyLine>> Desk::nightly(
    ports::ViewWindow days, std::optional<RepoName> upstream, std::optional<RepoName> downstream
) {
    BATON_CO_TRY(auto all, co_await lines(std::move(upstream), std::move(downstream)));
    std::vector<NightlyLine> nights;
    for (auto& line : all) {
        ports::NightsQuery about{
            .upstream = line.upstream, .downstream = line.listed.repo, .window = days
        };
        BATON_CO_TRY(auto view, co_await sources_.views.nights(std::move(about)));
        auto night = nightly_of(std::move(line), std::move(view), sources_.clock.now());
        if (has_nights(night)) {
            nights.push_back(std::move(night));
        }
    }
    sort_nights(nights);
    co_return nights;
}

Desk::Awaitable<SuiteTable> Desk::suites(ports::SuiteQuery wanted) {
    BATON_CO_TRY(auto all, co_await lines(wanted.upstream, std::nullopt));
    std::vector<SuiteColumn> columns;
    for (auto& line : all) {
        wanted.downstream = line.listed.repo;
        BATON_CO_TRY(auto run, co_await sources_.views.suite_run(wanted));
        columns.push_back({.line = std::move(line), .run = std::move(run)});
    }
    co_return suites_of(std::move(columns));
}

} // namespace baton::hud
