#include "baton/hud/desk.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/run.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/hud/audience.hpp"
#include "baton/hud/backend_page.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/overview.hpp"
#include "baton/hud/pull_list.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/hud/refused.hpp"
#include "baton/hud/shown.hpp"
#include "baton/hud/window.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/delivery.hpp"
#include "baton/ports/failures.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::hud {

namespace {

constexpr std::size_t kProbeRuns = 5; // of each kind of event
constexpr std::size_t kPullsAtOnce = 200;
constexpr std::size_t kRunsMax = 200;       // of one commit
constexpr std::size_t kDeliveriesMax = 100; // of one pull request, the newest
constexpr std::size_t kFailedJobsMax = 20;  // whose failed tests are read
constexpr std::size_t kFailedTestsMax = 10; // of each
constexpr std::size_t kRunsLooked = 5;      // for the callback token

bool has_failed(const domain::Job& job) {
    return job.counts && (job.conclusion == domain::Conclusion::failure ||
                          job.conclusion == domain::Conclusion::timed_out);
}

std::vector<JobId> red_among(const std::vector<domain::Run>& runs) {
    std::vector<JobId> red;
    for (const auto& run : runs) {
        for (const auto& job : run.jobs) {
            if (has_failed(job) && red.size() < kFailedJobsMax) {
                red.push_back(job.id);
            }
        }
    }
    return red;
}

/// The commit that was asked for, in full; without one the pull request's own. not_found, and
/// invalid when the beginning fits several.
Result<HeadSha> head_of(const PullFacts& facts, const HeadSha& wanted) {
    if (wanted.empty() || wanted == facts.pull.head) {
        return facts.pull.head;
    }
    std::vector<HeadSha> fitting;
    for (const auto& known : facts.heads) {
        if (known.head.text().starts_with(wanted.text())) {
            fitting.push_back(known.head);
        }
    }
    if (fitting.empty()) {
        return fail(Errc::not_found, "sha is no commit that this pull request had");
    }
    if (fitting.size() > 1) {
        return fail(Errc::invalid, "sha must be longer: several commits begin so");
    }
    return fitting.front();
}

} // namespace

Result<domain::Pairing>
Desk::listed(const RepoName& downstream, const std::optional<RepoName>& upstream) const {
    const auto lists = sources_.lists();
    const Shown seen(lists);
    for (const auto& list : lists) {
        if ((!upstream || *upstream == list.upstream) && seen.has(list.upstream, downstream)) {
            return domain::Pairing{.upstream = list.upstream, .downstream = downstream};
        }
    }
    return fail(Errc::not_found, fmt::format("{} stands in no allowlist", downstream.text()));
}

Result<Audience> Desk::audience(
    const std::optional<RepoName>& upstream, const std::optional<RepoName>& downstream
) const {
    Audience found(sources_.lists(), upstream, downstream);
    if (downstream && found.among().empty()) {
        return fail(Errc::not_found, fmt::format("{} stands in no allowlist", downstream->text()));
    }
    return found;
}

Desk::Awaitable<DownstreamFacts> Desk::downstream_facts(ports::ViewWindow days) {
    DownstreamFacts facts;
    facts.now = sources_.clock.now();
    facts.lists = sources_.lists();
    BATON_CO_TRY(facts.views, co_await sources_.views.downstreams(days));
    BATON_CO_TRY(facts.gate_suspensions, co_await sources_.store.gate_suspensions());
    BATON_CO_TRY(facts.suspensions, co_await sources_.store.suspensions(facts.now));
    BATON_CO_TRY(facts.figures, co_await sources_.store.downstream_figures(facts.now));
    facts.gate_rules = sources_.gate;
    co_return facts;
}

Desk::Awaitable<Overview> Desk::overview(Window window, std::optional<RepoName> upstream) {
    OverviewFacts facts;
    BATON_CO_TRY(facts.downstreams, co_await downstream_facts(window.days));
    BATON_CO_TRY(facts.figures.counts, co_await sources_.store.counts());
    BATON_CO_TRY(facts.figures.results, co_await sources_.store.result_counts());
    BATON_CO_TRY(facts.figures.checks, co_await sources_.store.check_counts());
    ports::GivenUpQuery all_given_up;
    all_given_up.limit = kGivenUpMax;
    all_given_up.shown = [](const ports::DeadDispatch&) { return true; }; // a number names nobody
    BATON_CO_TRY(
        const auto given_up, co_await sources_.operators.given_up(std::move(all_given_up))
    );
    facts.figures.given_up = given_up.rows.size();
    const auto now = facts.downstreams.now;
    std::vector<std::string> no_sinks;
    BATON_CO_TRY(const auto state, co_await sources_.operators.state(std::move(no_sinks), now));
    facts.figures.last_delivery_at = state.last_delivery_at;
    BATON_CO_TRY(
        const auto refused, co_await sources_.operators.refusal_totals(hour_before(now, 1))
    );
    facts.figures.refused = shown_totals(refused, Shown(facts.downstreams.lists));
    BATON_CO_TRY(facts.acknowledgements, co_await sources_.operators.acknowledgements(now));
    BATON_CO_TRY(facts.probes, co_await probe_runs());
    facts.relay = sources_.relay();
    facts.window = std::move(window);
    facts.upstream = std::move(upstream);
    co_return overview_of(std::move(facts));
}

Desk::Awaitable<std::vector<ProbeRuns>> Desk::probe_runs() {
    std::vector<ProbeRuns> all;
    const auto seen = shown();
    for (const auto& [upstream, probe] : sources_.probes) {
        if (!seen.has(upstream, probe)) {
            continue;
        }
        ProbeRuns runs{.upstream = upstream, .probe = probe, .rows = {}};
        for (const auto* event : {"pull_request", "nightly"}) {
            ports::GridQuery newest{.upstream = upstream, .downstream = probe, .event_type = event};
            newest.limit = kProbeRuns;
            BATON_CO_TRY(const auto rows, co_await sources_.views.grid(std::move(newest)));
            runs.rows.insert(runs.rows.end(), rows.begin(), rows.end());
        }
        all.push_back(std::move(runs));
    }
    co_return all;
}

Desk::Awaitable<PullList> Desk::pulls(ports::PullQuery query, Wish wish) {
    PullList list;
    const auto seen = shown();
    const auto limit = query.limit;
    query.limit = wish == Wish::any ? limit : kPullsAtOnce;
    for (std::size_t looked = 0; looked < kPullsLooked; looked += query.limit) {
        BATON_CO_TRY(auto found, co_await sources_.views.pulls(query));
        hide(found, seen);
        for (auto& row : found) {
            query.before = place_of(row);
            if (fits(row, wish)) {
                list.rows.push_back(std::move(row));
            }
            if (list.rows.size() == limit) {
                list.next = query.before;
                co_return list;
            }
        }
        if (found.size() < query.limit) {
            co_return list;
        }
    }
    list.next = query.before;
    co_return list;
}

Desk::Awaitable<PullPage> Desk::pull(RepoName upstream, PrNumber number, HeadSha head) {
    ports::PullRequestQuery about{.upstream = upstream, .number = number};
    BATON_CO_TRY(auto known, co_await sources_.store.pull_request(std::move(about)));
    if (!known) {
        co_return fail(
            Errc::not_found,
            fmt::format("{}#{} is not known", upstream.text(), static_cast<std::int64_t>(number))
        );
    }
    PullFacts facts;
    facts.pull = *std::move(known);
    BATON_CO_TRY(facts.heads, co_await sources_.views.heads(upstream, number));
    BATON_CO_TRY(facts.head, head_of(facts, head));
    ports::RunsQuery about_runs{
        .upstream = upstream, .pr = number, .head = facts.head, .limit = kRunsMax
    };
    ports::CommitQuery about_commit{
        .upstream = upstream,
        .head = facts.head,
        .event_type = "pull_request",
        .among = Audience(sources_.lists(), upstream, {}).among(),
    };
    domain::Subject subject{.upstream = upstream, .pr = number, .head = facts.head};
    ports::DeliveryPageQuery about_deliveries{.limit = kDeliveriesMax, .pr = number};
    const auto window = window_named("1d", sources_.clock.now());
    // Together: the two large ones are most of what the page costs.
    using namespace boost::asio::experimental::awaitable_operators; // &&
    auto [runs, around, postings, deliveries, downstreams] = co_await (
        sources_.store.runs(std::move(about_runs)) &&
        sources_.views.commit_cells(std::move(about_commit)) &&
        sources_.store.postings_of(std::move(subject)) &&
        sources_.store.list_deliveries(std::move(about_deliveries)) &&
        downstream_facts(window->days)
    );
    BATON_CO_TRY(facts.runs, std::move(runs));
    BATON_CO_TRY(facts.around, std::move(around));
    BATON_CO_TRY(facts.postings, std::move(postings));
    BATON_CO_TRY(facts.deliveries, std::move(deliveries));
    BATON_CO_TRY(const auto listed, std::move(downstreams));
    std::erase_if(facts.deliveries, [&upstream](const ports::Delivery& delivery) {
        const auto repository = RepoName::parse(delivery.repository);
        return !repository || *repository != upstream;
    });
    const auto seen = shown();
    std::erase_if(facts.runs, [&](const domain::Run& run) {
        return !seen.has(upstream, run.dispatch.key.downstream);
    });
    BATON_CO_TRY(facts.failed_tests, co_await failed_tests(red_among(facts.runs)));
    facts.lines = lines_of(listed);
    std::erase_if(facts.lines, [&upstream](const DownstreamLine& line) {
        return line.upstream != upstream;
    });
    for (auto& posting : facts.postings) {
        posting.check.title = seen.discreet(std::move(posting.check.title));
    }
    if (const auto gate = sources_.gate_names.find(upstream); gate != sources_.gate_names.end()) {
        facts.gate_name = gate->second;
    }
    co_return pull_page_of(std::move(facts));
}

Desk::Awaitable<std::vector<FailedTestOf>> Desk::failed_tests(std::vector<JobId> red) {
    std::vector<FailedTestOf> all;
    BATON_CO_TRY(auto told, co_await sources_.views.told_tests(std::move(red)));
    for (auto& report : told) {
        const auto shown = std::min(report.tests.size(), kFailedTestsMax);
        for (std::size_t i = 0; i < shown; ++i) {
            all.push_back({.job = report.job, .place = i, .test = std::move(report.tests[i])});
        }
    }
    co_return all;
}

Desk::Awaitable<DownstreamLine>
Desk::line(RepoName downstream, std::optional<RepoName> upstream, ports::ViewWindow days) {
    BATON_CO_TRY(const auto pairing, listed(downstream, upstream));
    BATON_CO_TRY(const auto facts, co_await downstream_facts(days));
    auto lines = lines_of(facts);
    const auto found = std::ranges::find_if(lines, [&pairing](const DownstreamLine& line) {
        return line.listed.repo == pairing.downstream && line.upstream == pairing.upstream;
    });
    if (found == lines.end()) { // the list has just changed
        co_return fail(Errc::unavailable, "the allowlist has just changed: try again");
    }
    co_return std::move(*found);
}

Desk::Awaitable<BackendPage>
Desk::backend(RepoName downstream, std::optional<RepoName> upstream, Window window) {
    BackendFacts facts;
    BATON_CO_TRY(
        facts.line, co_await line(std::move(downstream), std::move(upstream), window.days)
    );
    const auto& repo = facts.line.listed.repo;
    const ports::DownstreamQuery query{
        .upstream = facts.line.upstream, .downstream = repo, .window = window.days
    };
    BATON_CO_TRY(facts.times, co_await sources_.views.times(query));
    BATON_CO_TRY(facts.days, co_await sources_.views.days(query));
    BATON_CO_TRY(facts.jobs, co_await sources_.views.job_names(query));
    BATON_CO_TRY(const auto pin, co_await sources_.store.pin_of(repo));
    facts.pinned = pin.has_value();
    ports::RunsQuery newest{
        .upstream = query.upstream, .downstream = repo, .started_only = true, .limit = kRunsLooked
    };
    BATON_CO_TRY(const auto runs, co_await sources_.store.runs(std::move(newest)));
    facts.bound = std::ranges::any_of(runs, [](const domain::Run& run) {
        return std::ranges::any_of(run.jobs, &domain::Job::bound);
    });
    facts.window = std::move(window);
    co_return backend_page_of(std::move(facts));
}

} // namespace baton::hud
