// bench_fill --folder FOLDER [--jobs N] [--days N] [--until DAY] [--seed N] [--rounds N] [--verify]
//
// Fills a new store with a season of results and measures what each view of the HUD costs in it,
// and what a report costs to write. A store that is there already is only measured; without rounds
// nothing is. ./dev bench-hud and ./dev bench use it.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sql/operators.hpp"
#include "baton/store/sql/verbs.hpp"
#include "baton/store/sql/views.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/migrate.hpp"
#include "baton/store/sqlite/verify.hpp"
#include "baton/store/tools.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "fill.hpp"

namespace {

using namespace baton;
using namespace baton::bench;
using store::sqlite::Connection;
namespace views = store::sql::views;
namespace verbs = store::sql::verbs;

RepoName repo(const std::string& name) {
    return RepoName::parse(name).value_or(RepoName{});
}

/// Processor time of this thread: on a shared machine the figure to compare between runs.
double spent_ms() {
    timespec spent{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return (static_cast<double>(spent.tv_sec) * 1e3) + (static_cast<double>(spent.tv_nsec) / 1e6);
}

double percentile(std::vector<double>& samples, std::size_t percent) {
    std::ranges::sort(samples);
    return samples.at(((samples.size() * percent + 99) / 100) - 1);
}

/// Runs something many times and prints how long it took; `round` grows from 0.
void measure(
    const std::string& what, std::size_t rounds, const std::function<void(std::size_t round)>& work
) {
    std::vector<double> waits;
    std::vector<double> spent;
    for (std::size_t round = 0; round < rounds; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        const auto spent_before = spent_ms();
        work(round);
        spent.push_back(spent_ms() - spent_before);
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - begin;
        waits.push_back(took.count());
    }
    fmt::print(
        "| {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n",
        what,
        percentile(waits, 50),
        percentile(waits, 95),
        percentile(spent, 50),
        percentile(spent, 95)
    );
}

class Viewer {
public:
    Viewer(Connection& db, const Season& season, std::size_t rounds)
        : db_(db)
        , season_(season)
        , rounds_(rounds) {}

    void figures() {
        for (const int days : {7, 30, 90}) {
            const auto name = fmt::format("overview, {} days", days);
            measure(name, rounds_, [&](std::size_t) { views::downstreams(db_, window(days)); });
        }
        measure("days of one downstream, 90 days", rounds_, [&](std::size_t round) {
            views::days(db_, about(round, 90));
        });
        measure("jobs of one downstream, 90 days", rounds_, [&](std::size_t round) {
            views::job_names(db_, about(round, 90));
        });
        for (const int days : {7, 14, 90}) {
            const auto name = fmt::format("queue and run percentiles, {} days", days);
            measure(name, rounds_, [&](std::size_t round) {
                auto times = views::times(db_, about(round, days));
                domain::spread_of(std::move(times.queue));
                domain::spread_of(std::move(times.run));
            });
        }
    }

    void lists() {
        std::vector<std::int64_t> cursors;
        measure("grid, 50 commits", rounds_, [&](std::size_t round) {
            const auto rows = views::grid(db_, grid(round));
            if (!rows.empty()) {
                cursors.push_back(rows.back().cursor);
            }
        });
        measure("grid, the page after it", rounds_, [&](std::size_t round) {
            auto query = grid(round);
            query.before = cursors.empty() ? 1 : cursors.at(round % cursors.size());
            views::grid(db_, query);
        });
        measure("pull requests, 50 by 40 downstreams", rounds_, [&](std::size_t) {
            views::pulls(db_, {});
        });
        measure("pull requests of one author", rounds_, [&](std::size_t round) {
            views::pulls(
                db_,
                {.upstream = std::nullopt,
                 .state = ports::PullState::all,
                 .author = fmt::format("author-{}", round % 200)}
            );
        });
        measure("heads of a pull request", rounds_, [&](std::size_t round) {
            const auto number = static_cast<std::int64_t>(round) + 1;
            views::heads(db_, repo(kUpstream), PrNumber{number});
        });
        measure("dead dispatches", rounds_, [&](std::size_t) {
            ports::GivenUpQuery all;
            all.limit = 200;
            all.shown = [](const ports::DeadDispatch&) { return true; };
            store::sql::operators::given_up(db_, all);
        });
        measure("news, the newest 100", rounds_, [&](std::size_t) {
            views::news(db_, views::news(db_, 0, 1).newest - 100, 100);
        });
    }

    void over_time() {
        measure("trends of all, 180 days", rounds_, [&](std::size_t) {
            views::all_days(db_, window(180));
        });
        measure("spreads by day, 90 days", rounds_, [&](std::size_t round) {
            views::day_times(db_, about(round, 90));
        });
        measure("nights of 40 downstreams, 6 weeks", rounds_, [&](std::size_t) {
            for (std::size_t i = 0; i < season_.downstreams; ++i) {
                const auto one = about(i, 42);
                views::nights(
                    db_,
                    {.upstream = one.upstream, .downstream = one.downstream, .window = one.window}
                );
            }
        });
        measure("history of one job, 50 commits", rounds_, [&](std::size_t round) {
            const auto names = views::job_names(db_, about(round, 7));
            if (!names.empty()) {
                const auto one = about(round, 7);
                ports::JobHistoryQuery query{.about = {}, .event_type = "pull_request"};
                query.about = {
                    .upstream = one.upstream,
                    .downstream = one.downstream,
                    .workflow = names.front().workflow,
                    .job = names.front().job
                };
                views::job_history(db_, query);
            }
        });
    }

    /// Nothing of it stays.
    void reports() {
        db_.script("BEGIN", "begin");
        for (const bool ends : {false, true}) {
            const auto* what = ends ? "write the end of a job" : "write the start of a job";
            measure(what, rounds_ * 5, [&](std::size_t round) {
                ports::ReportCommit commit{.now = season_.until};
                commit.subject = {
                    .dispatch = std::nullopt,
                    .downstream = repo(downstream_named(round % season_.downstreams)),
                    .upstream = repo(kUpstream),
                    .event_type = "nightly",
                    .pr = std::nullopt,
                    .head = HeadSha(fmt::format("{:040x}", round / 10))
                };
                commit.report.key = {
                    .workflow = "nightly", .job = std::to_string(round % 10), .run_id = "1"
                };
                if (ends) {
                    commit.report.status = domain::JobStatus::completed;
                    commit.report.conclusion = domain::Conclusion::success;
                }
                static_cast<void>(verbs::record_report(db_, commit, {}));
            });
        }
        db_.script("ROLLBACK", "rollback");
    }

private:
    ports::ViewWindow window(int days) const {
        const auto until =
            std::chrono::floor<std::chrono::days>(season_.until) + std::chrono::days{1};
        return {.from = until - std::chrono::days{days}, .until = until};
    }

    ports::DownstreamQuery about(std::size_t round, int days) const {
        return {
            .upstream = repo(kUpstream),
            .downstream = repo(downstream_named(round % season_.downstreams)),
            .window = window(days)
        };
    }

    ports::GridQuery grid(std::size_t round) const {
        return {
            .upstream = repo(kUpstream),
            .downstream = repo(downstream_named(round % season_.downstreams)),
            .event_type = "pull_request",
            .before = std::nullopt,
        };
    }

    Connection& db_;
    Season season_;
    std::size_t rounds_;
};

/// What `baton db verify` finds, one line each.
std::string findings_in(const std::string& path) {
    const auto found = store::sqlite::verify(path, [](const auto&) {});
    if (!found) {
        return found.error().detail;
    }
    std::string lines;
    for (const auto& check : found->checks) {
        for (const auto& finding : check.findings) {
            lines += fmt::format("{}: {}\n", check.what, finding);
        }
        fmt::print(stderr, "{} {}\n", check.count, check.what);
    }
    return lines;
}

/// What went wrong, or nothing.
std::string run(const std::string& path, const Season& season, std::size_t rounds) {
    const bool is_new = !std::filesystem::exists(path);
    if (auto steps = store::sqlite::migrate({.path = path, .now = season.until}); !steps) {
        return steps.error().detail;
    }
    auto db = store::sqlite::open(path, store::sqlite::Access::write);
    if (!db) {
        return db.error().detail;
    }
    if (is_new) {
        const auto begin = std::chrono::steady_clock::now();
        db->script("PRAGMA synchronous = OFF; PRAGMA cache_size = -262144", "pragmas");
        fill(*db, season);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        fmt::print(
            "filled in {:.0f} s, {:.0f} MB\n\n",
            took.count(),
            static_cast<double>(std::filesystem::file_size(path)) / 1e6
        );
    }
    if (rounds == 0) {
        return db->ok() ? std::string() : db->failure().text;
    }
    db->script("PRAGMA cache_size = -2000", "pragmas"); // as those who look have it
    fmt::print(
        "| at {} jobs | p50 ms | p95 ms | CPU p50 | CPU p95 |\n|---|---|---|---|---|\n", season.jobs
    );
    Viewer viewer(*db, season, rounds);
    viewer.figures();
    viewer.lists();
    viewer.over_time();
    viewer.reports();
    return db->ok() ? std::string() : db->failure().text;
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Fill a store with a season of results and measure the HUD's views in it");
    std::filesystem::path folder;
    Season season;
    std::size_t rounds = 200;
    bool verifies = false;
    app.add_flag("--verify", verifies, "Afterwards, check it as `baton db verify` does");
    app.add_option("--folder", folder, "Where the store is, or is made and filled")
        ->required()
        ->check(CLI::ExistingDirectory);
    app.add_option("--jobs", season.jobs, "How many; default 1,000,000");
    season.days = 0;
    app.add_option("--days", season.days, "How long it took; default 90 for each million jobs");
    std::int64_t until_day = 0;
    app.add_option(
        "--until", until_day, "The day it ends with, in days since 1970; default one in 2027"
    );
    app.add_option("--seed", season.seed, "The same seed is the same season");
    app.add_option("--rounds", rounds, "Of each measurement; default 200")
        ->check(CLI::NonNegativeNumber);
    CLI11_PARSE(app, argc, argv);
    if (season.days == 0) {
        season.days = std::max<std::size_t>(1, season.jobs / kJobsPerDay);
    }
    if (until_day != 0) {
        season.until = TimePoint(std::chrono::days(until_day));
    }
    const auto name =
        fmt::format("hud-{}-{}-{}-{}.db", season.jobs, season.days, until_day, season.seed);
    const auto path = (folder / name).string();
    auto trouble = run(path, season, rounds);
    if (trouble.empty() && verifies) {
        trouble = findings_in(path);
    }
    if (!trouble.empty()) {
        fmt::print(stderr, "bench_fill: {}\n", trouble);
        return 1;
    }
    return 0;
}
