#pragma once

#include "baton/api/listener.hpp"
#include "baton/api/news_hub.hpp"
#include "baton/api/stream.hpp"
#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/hud/shown.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/failures.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/ports/views.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/manual_clock.hpp"

namespace baton::api {

/// News by hand; the other questions are not asked here.
class ScriptedNews final : public ports::Views {
public:
    Awaitable<ports::NewsPage> news(std::int64_t after, std::size_t limit) override {
        if (while_asked) {
            while_asked();
        }
        if (away) {
            co_return fail(Errc::unavailable, "away");
        }
        ports::NewsPage page;
        page.newest = all.empty() ? 0 : all.back().id;
        page.gap = after + 1 < oldest || after > page.newest;
        for (const auto& news : all) {
            if (news.id > after && page.news.size() < limit && !page.gap) {
                page.news.push_back(news);
            }
        }
        co_return page;
    }

    Awaitable<std::vector<ports::DownstreamView>> downstreams(ports::ViewWindow) override {
        return nothing<std::vector<ports::DownstreamView>>();
    }

    Awaitable<std::vector<ports::DayView>> days(ports::DownstreamQuery) override {
        return nothing<std::vector<ports::DayView>>();
    }

    Awaitable<std::vector<ports::JobNameView>> job_names(ports::DownstreamQuery) override {
        return nothing<std::vector<ports::JobNameView>>();
    }

    Awaitable<ports::TimesView> times(ports::DownstreamQuery) override {
        return nothing<ports::TimesView>();
    }

    Awaitable<std::vector<ports::GridRow>> grid(ports::GridQuery) override {
        return nothing<std::vector<ports::GridRow>>();
    }

    Awaitable<std::vector<ports::PullRow>> pulls(ports::PullQuery) override {
        return nothing<std::vector<ports::PullRow>>();
    }

    Awaitable<std::vector<ports::HeadView>> heads(RepoName, PrNumber) override {
        return nothing<std::vector<ports::HeadView>>();
    }

    Awaitable<domain::Job> job(JobId) override { return nothing<domain::Job>(); }

    Awaitable<std::vector<ports::DaysView>> all_days(ports::ViewWindow) override {
        return nothing<std::vector<ports::DaysView>>();
    }

    Awaitable<std::vector<ports::DayTimes>> day_times(ports::DownstreamQuery) override {
        return nothing<std::vector<ports::DayTimes>>();
    }

    Awaitable<std::vector<ports::DayView>> job_days(ports::JobQuery, ports::ViewWindow) override {
        return nothing<std::vector<ports::DayView>>();
    }

    Awaitable<ports::JobHistoryPage> job_history(ports::JobHistoryQuery) override {
        return nothing<ports::JobHistoryPage>();
    }

    Awaitable<ports::NightsView> nights(ports::NightsQuery) override {
        return nothing<ports::NightsView>();
    }

    Awaitable<ports::SuiteRun> suite_run(ports::SuiteQuery) override {
        return nothing<ports::SuiteRun>();
    }

    Awaitable<ports::BenchmarkPage> benchmarks(ports::BenchmarkQuery) override {
        return nothing<ports::BenchmarkPage>();
    }

    Awaitable<ports::BenchmarkSeries>
    benchmark_series(ports::BenchmarkQuery, std::string) override {
        return nothing<ports::BenchmarkSeries>();
    }

    Awaitable<ports::ClusterPage> clusters(ports::ClusterQuery) override {
        return nothing<ports::ClusterPage>();
    }

    Awaitable<ports::ClusterView> cluster(ports::OneClusterQuery) override {
        return nothing<ports::ClusterView>();
    }

    Awaitable<std::vector<ports::ClusterDayView>> cluster_days(ports::OneClusterQuery) override {
        return nothing<std::vector<ports::ClusterDayView>>();
    }

    Awaitable<std::vector<ports::Occurrence>> occurrences(ports::OccurrenceQuery) override {
        return nothing<std::vector<ports::Occurrence>>();
    }

    Awaitable<std::vector<ports::TestView>> test_history(std::string, ports::Pairings) override {
        return nothing<std::vector<ports::TestView>>();
    }

    Awaitable<std::vector<ports::FlakyView>> flaky(ports::Pairings, ports::ViewWindow) override {
        return nothing<std::vector<ports::FlakyView>>();
    }

    Awaitable<std::vector<ports::FlakyExample>>
    flaky_examples(ports::FlakyView, std::size_t) override {
        return nothing<std::vector<ports::FlakyExample>>();
    }

    Awaitable<std::vector<ports::CommitCell>> commit_cells(ports::CommitQuery) override {
        return nothing<std::vector<ports::CommitCell>>();
    }

    Awaitable<std::vector<ports::ToldTests>> told_tests(std::vector<JobId>) override {
        return nothing<std::vector<ports::ToldTests>>();
    }

    std::vector<ports::News> all;
    std::int64_t oldest{1}; // what came before is not kept any more
    bool away{false};
    std::function<void()> while_asked;

private:
    template <class T> static Awaitable<T> nothing() { co_return fail(Errc::not_found, ""); }
};

class NewsStage : public testing::Test {
protected:
    using Place = NewsHub::Place;

    void SetUp() override { tasks.spawn(hub.run()); }

    void TearDown() override {
        tasks.cancel();
        look();
    }

    void happen(std::int64_t id, std::int64_t pr = -1, const std::string& downstream = "") {
        const auto number = pr < 0 ? id : pr; // each about a pull request of its own
        views.all.push_back({
            .id = id,
            .topic = "pull",
            .upstream = "up/stream",
            .pr = PrNumber{number},
            .downstream = downstream,
        });
    }

    /// The hub looks once more.
    void look() {
        clock.advance(NewsHub::kLook);
        settle();
    }

    Place join() { return *hub.join(loop.get_executor()); }

    std::optional<std::string> next(const Place& place) {
        std::optional<std::string> text;
        bool answered = false;
        const auto ask = [&]() -> boost::asio::awaitable<void> {
            text = co_await place.listener->next();
            answered = true;
        };
        tasks.spawn(ask());
        settle();
        if (!answered) { // it waits for news
            place.listener->tell("nothing");
            settle();
            text = "";
        }
        return text;
    }

    std::string text_of(const Place& place) { return next(place).value_or(""); }

    static std::vector<std::int64_t> ids_in(const std::string& text) {
        std::vector<std::int64_t> ids;
        for (auto at = text.find("id: "); at != std::string::npos; at = text.find("id: ", at + 1)) {
            ids.push_back(std::stoll(text.substr(at + 4)));
        }
        return ids;
    }

    std::vector<std::int64_t> told(const Place& place) { return ids_in(text_of(place)); }

    net::Response stream(const std::string& query) {
        net::Request request;
        request.head.query = query;
        const auto route = stream_route({.hub = hub, .views = views});
        net::Response response;
        const auto ask = [&]() -> boost::asio::awaitable<void> {
            response = co_await route.handler(std::move(request));
        };
        tasks.spawn(ask());
        settle();
        return response;
    }

    /// down/open is for everybody, down/secret is not.
    static hud::Shown seen() {
        domain::Allowlist list;
        list.add({.repo = *RepoName::parse("down/open")});
        list.add({.repo = *RepoName::parse("down/secret"), .visibility = domain::Visibility::closed}
        );
        return hud::Shown({{
            .upstream = *RepoName::parse("up/stream"),
            .allowlist = std::make_shared<const domain::Allowlist>(std::move(list)),
            .trouble = "",
        }});
    }

    void settle() {
        loop.restart();
        loop.poll();
    }

    test::ManualClock clock;
    boost::asio::io_context loop;
    ScriptedNews views;
    NewsHub hub{{.views = views, .clock = clock, .shown = [] { return seen(); }}};
    std::optional<Place> second;
    async::TaskGroup tasks{loop.get_executor(), [](const std::string& surprise) {
                               ADD_FAILURE() << surprise;
                           }};
};

} // namespace baton::api
