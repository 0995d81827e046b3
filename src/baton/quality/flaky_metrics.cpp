// Flakes that the relay saw, and links that anybody can open.

#include "baton/base/time.hpp"
#include "baton/domain/told_attempt.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/ci_metrics.hpp"
#include "baton/quality/metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

using domain::ToldAttempt;

constexpr std::size_t kRunsOfJob = 5;
constexpr std::int64_t kRunsLeast = 10;
constexpr std::int64_t kLinksLeast = 20;

/// One job in one configuration.
struct JobStory {
    std::size_t runs{0};
    std::int64_t tests{0};                 // of the newest run that told of any
    std::map<std::string, bool> passed_on; // by commit
    std::map<std::string, std::set<std::string>> failed_on;

    std::set<std::string> flaked() const {
        std::set<std::string> names;
        for (const auto& [commit, failed] : failed_on) {
            const auto passed = passed_on.find(commit);
            if (passed != passed_on.end() && passed->second) {
                names.insert(failed.begin(), failed.end());
            }
        }
        return names;
    }
};

void take(JobStory& story, const ToldAttempt& attempt) {
    ++story.runs;
    story.tests = attempt.tests > 0 ? attempt.tests : story.tests;
    story.passed_on[attempt.commit] |= attempt.passed;
    story.failed_on[attempt.commit].insert(attempt.failed.begin(), attempt.failed.end());
}

Window back(Day as_of, int count) {
    return {.from = as_of - std::chrono::days{count}, .to = as_of};
}

} // namespace

Metric flaky_observed(std::vector<ToldAttempt> attempts, Day as_of) {
    Metric metric{
        .name = "flaky_observed",
        .formula = "tests that failed where another attempt on the commit passed / tests of jobs "
                   "that ran 5 times",
        .least = kRunsLeast,
        .window = back(as_of, kFlakeDays),
        .figures = {},
        .reason = {},
        .rows = {},
    };
    std::ranges::sort(attempts, {}, [](const ToldAttempt& one) {
        return std::tuple(one.ended_at, one.commit, one.workflow, one.job, one.device);
    });
    std::map<std::tuple<std::string, std::string, std::string>, JobStory> stories;
    for (const auto& attempt : attempts) {
        if (attempt.ended_at < metric.window.from || attempt.ended_at >= metric.window.to) {
            continue;
        }
        metric.n += attempt.trunk ? 1 : 0;
        take(stories[{attempt.workflow, attempt.job, attempt.device}], attempt);
    }
    for (const auto& [key, story] : stories) {
        if (story.runs < kRunsOfJob) {
            continue;
        }
        const auto flaked = story.flaked();
        const auto& [workflow, job, device] = key;
        metric.den += story.tests;
        metric.num += std::min(static_cast<std::int64_t>(flaked.size()), story.tests);
        metric.rows.push_back(
            fmt::format("{}\t{}\t{}\t{}\t{}", workflow, job, device, story.runs, story.tests)
        );
        for (const auto& test : flaked) {
            metric.rows.push_back(fmt::format("\t{}", test));
        }
    }
    if (!lacks_data(metric, "runs on trunk or at night") && metric.den == 0) {
        metric.verdict = MetricVerdict::insufficient;
        metric.reason = "no job that ran 5 times told of tests";
    }
    return metric;
}

Metric public_links(std::vector<LinkAnswer> answers, Day as_of) {
    Metric metric{
        .name = "public_links_pct",
        .formula = "links to results and artifacts that answer without a login / links tried",
        .least = kLinksLeast,
        .window = back(as_of, kLinkDays),
        .figures = {},
        .reason = {},
        .rows = {},
    };
    std::ranges::sort(answers, {}, &LinkAnswer::url);
    for (const auto& answer : answers) {
        metric.num += answer.open ? 1 : 0;
        metric.rows.push_back(fmt::format("{}\t{}", answer.url, answer.open ? "open" : "closed"));
    }
    metric.den = static_cast<std::int64_t>(answers.size());
    metric.n = metric.den;
    if (lacks_data(metric, "links")) {
        return metric;
    }
    const bool enough = 100 * metric.num >= 95 * metric.den;
    metric.verdict = enough ? MetricVerdict::met : MetricVerdict::unmet;
    metric.reason = enough ? "" : fmt::format("{} of {} answer", metric.num, metric.den);
    return metric;
}

} // namespace baton::quality
