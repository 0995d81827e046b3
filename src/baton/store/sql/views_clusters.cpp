#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/signature.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/failures.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/views.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sql::views {

namespace {

constexpr std::size_t kTestsMax = 1'000; // names counted
constexpr std::size_t kTestRows = 5'000; // rows looked at for them
constexpr std::size_t kPullRows = 1'000; // rows looked at for 200 pull requests
constexpr std::size_t kPullsMax = 200;   // counted
constexpr std::size_t kPullsShown = 10;
constexpr auto kForever = std::numeric_limits<std::int64_t>::max();

constexpr Query kNewest{
    "view_newest_clusters",
    "SELECT last_at_ms, cluster FROM cluster_downstream INDEXED BY cluster_newest WHERE "
    "upstream = ?1 AND downstream = ?2 AND last_at_ms >= ?3 AND (last_at_ms, cluster) < (?4, ?5) "
    "ORDER BY last_at_ms DESC, cluster DESC LIMIT ?6"
};
constexpr Query kCluster{"view_cluster", "SELECT upstream, signature FROM cluster WHERE id = ?1"};
constexpr Query kAt{
    "view_cluster_downstreams",
    "SELECT downstream, first_at_ms, last_at_ms, trunk_at_ms FROM cluster_downstream WHERE "
    "cluster = ?1 ORDER BY downstream"
};
constexpr Query kDays{
    "view_cluster_days",
    "SELECT day_ms, downstream, failures FROM cluster_day WHERE cluster = ?1 AND day_ms >= ?2 "
    "AND day_ms < ?3 ORDER BY day_ms, downstream"
};
constexpr Query kPulls{
    "view_cluster_pulls",
    "SELECT pr_number, downstream, last_at_ms FROM cluster_pull WHERE cluster = ?1 ORDER BY "
    "pr_number DESC, downstream DESC LIMIT ?2"
};
constexpr Query kTests{
    "view_cluster_tests",
    "SELECT test, downstream FROM cluster_test WHERE cluster = ?1 ORDER BY test, downstream "
    "LIMIT ?2"
};
constexpr Query kSample{
    "view_cluster_sample",
    "SELECT test, message FROM failed_test INDEXED BY failed_test_of_cluster WHERE cluster = ?1 "
    "AND downstream = ?2 ORDER BY at_ms DESC, id DESC LIMIT 1"
};

using Place = std::pair<std::int64_t, std::int64_t>; // last seen, cluster

std::set<RepoName> downstreams_of(const ports::Pairings& among, const RepoName& upstream) {
    std::set<RepoName> found;
    for (const auto& pairing : among) {
        if (pairing.upstream == upstream) {
            found.insert(pairing.downstream);
        }
    }
    return found;
}

/// One cluster as those see it who see `among`.
class Reader {
public:
    Reader(Connection& db, const ports::Pairings& among, const ports::ViewWindow& window)
        : db_(db)
        , among_(among)
        , window_(window) {}

    /// nullopt: nobody among them has it.
    std::optional<ports::ClusterView> read(domain::ClusterId id) {
        ports::ClusterView view{.id = id};
        {
            auto rows = db_.rows(kCluster, id);
            if (!rows.next()) {
                return std::nullopt;
            }
            view.upstream = repo_name(rows.view(0));
            view.signature = rows.text(1);
        }
        seen_ = downstreams_of(among_, view.upstream);
        const auto newest = read_downstreams(view);
        if (!newest) {
            return std::nullopt;
        }
        read_days(view);
        read_pulls(view);
        read_tests(view);
        auto rows = db_.rows(kSample, id, newest->text());
        if (rows.next()) {
            view.test = rows.text(0);
            view.message = rows.text(1);
        }
        return view;
    }

private:
    /// Whoever had it last.
    std::optional<RepoName> read_downstreams(ports::ClusterView& view) {
        std::optional<RepoName> newest;
        auto rows = db_.rows(kAt, view.id);
        while (rows.next()) {
            auto repo = repo_name(rows.view(0));
            if (!seen_.contains(repo)) {
                continue;
            }
            const auto first = rows.time(1);
            const auto last = rows.time(2);
            const auto trunk = rows.maybe_time(3);
            view.first_seen = newest ? std::min(view.first_seen, first) : first;
            view.on_trunk = view.on_trunk || (trunk && *trunk >= window_.from);
            if (!newest || last > view.last_seen) {
                newest = repo;
                view.last_seen = last;
            }
            view.downstreams.push_back(
                {.repo = std::move(repo), .failures = 0, .first_seen = first, .last_seen = last}
            );
        }
        return newest;
    }

    void read_days(ports::ClusterView& view) {
        auto rows = db_.rows(kDays, view.id, window_.from, window_.until);
        while (rows.next()) {
            const auto repo = repo_name(rows.view(1));
            const auto found =
                std::ranges::find(view.downstreams, repo, &ports::ClusterView::Downstream::repo);
            if (found != view.downstreams.end()) {
                found->failures += count_in(rows, 2);
            }
        }
        std::erase_if(view.downstreams, [](const auto& one) { return one.failures == 0; });
    }

    void read_pulls(ports::ClusterView& view) {
        std::optional<PrNumber> last;
        auto rows = db_.rows(kPulls, view.id, kPullRows);
        while (view.pulls < kPullsMax && rows.next()) {
            const PrNumber number{rows.integer(0)};
            if (number == last || rows.time(2) < window_.from ||
                !seen_.contains(repo_name(rows.view(1)))) {
                continue;
            }
            last = number;
            if (view.pulls++ < kPullsShown) {
                view.newest_pulls.push_back(number);
            }
        }
    }

    void read_tests(ports::ClusterView& view) {
        std::optional<std::string> last;
        auto rows = db_.rows(kTests, view.id, kTestRows);
        while (view.tests < kTestsMax && rows.next()) {
            if (rows.view(0) != last && seen_.contains(repo_name(rows.view(1)))) {
                last = rows.text(0);
                ++view.tests;
            }
        }
    }

    Connection& db_;
    const ports::Pairings& among_;
    const ports::ViewWindow& window_;
    std::set<RepoName> seen_; // of the cluster's upstream
};

/// The newest clusters of each downstream, taken together: last seen first, each once.
struct Candidates {
    std::vector<Place> places;
    std::optional<Place> horizon; // behind it some downstream may have more
};

Candidates candidates_of(Connection& db, const ports::ClusterQuery& query) {
    const auto before =
        query.before
            ? Place{to_ms(query.before->last_seen), static_cast<std::int64_t>(query.before->cluster)}
            : Place{kForever, kForever};
    Candidates found;
    for (const auto& [upstream, downstream] : query.among) {
        std::size_t count = 0;
        auto rows = db.rows(
            kNewest,
            upstream.text(),
            downstream.text(),
            query.window.from,
            before.first,
            before.second,
            query.limit
        );
        while (rows.next()) {
            found.places.emplace_back(rows.integer(0), rows.integer(1));
            ++count;
        }
        if (count == query.limit) {
            found.horizon =
                std::max(found.horizon.value_or(found.places.back()), found.places.back());
        }
    }
    std::ranges::sort(found.places, std::greater<>());
    const auto [first, last] = std::ranges::unique(found.places);
    found.places.erase(first, last);
    return found;
}

ports::ClusterPlace place_of(const Place& place) {
    return {.last_seen = from_ms(place.first), .cluster = domain::ClusterId{place.second}};
}

} // namespace

ports::ClusterPage clusters(Connection& db, const ports::ClusterQuery& query) {
    const auto candidates = candidates_of(db, query);
    Reader reader(db, query.among, query.window);
    ports::ClusterPage page;
    for (const auto& place : candidates.places) {
        if (candidates.horizon && place < *candidates.horizon) {
            break;
        }
        auto view = reader.read(domain::ClusterId{place.second});
        // Where it was seen later, it stood further up: on this page or on one before.
        if (!view || to_ms(view->last_seen) != place.first) {
            continue;
        }
        page.rows.push_back(*std::move(view));
        if (page.rows.size() == query.limit) {
            page.next = place_of(place);
            return page;
        }
    }
    if (candidates.horizon) {
        page.next = place_of(*candidates.horizon);
    }
    return page;
}

Result<ports::ClusterView> cluster(Connection& db, const ports::OneClusterQuery& query) {
    auto view = Reader(db, query.among, query.window).read(query.id);
    if (!view) {
        return fail(Errc::not_found, "there is no such cluster");
    }
    return *std::move(view);
}

std::vector<ports::ClusterDayView>
cluster_days(Connection& db, const ports::OneClusterQuery& query) {
    RepoName upstream;
    {
        auto rows = db.rows(kCluster, query.id);
        if (!rows.next()) {
            return {};
        }
        upstream = repo_name(rows.view(0));
    }
    const auto seen = downstreams_of(query.among, upstream);
    std::map<TimePoint, std::size_t> by_day;
    auto rows = db.rows(kDays, query.id, query.window.from, query.window.until);
    while (rows.next()) {
        if (seen.contains(repo_name(rows.view(1)))) {
            by_day[rows.time(0)] += count_in(rows, 2);
        }
    }
    std::vector<ports::ClusterDayView> days;
    for (const auto& [day, failures] : by_day) {
        days.push_back({.day = day, .failures = failures});
    }
    return days;
}

} // namespace baton::store::sql::views
