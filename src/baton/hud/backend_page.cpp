#include "baton/hud/backend_page.hpp"

#include "baton/domain/figures.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/ports/views.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::hud {

namespace {

constexpr std::size_t kWorstJobs = 20;

std::vector<ports::JobNameView> worst_of(std::vector<ports::JobNameView> jobs) {
    std::ranges::sort(jobs, {}, [](const ports::JobNameView& job) {
        const auto rate = domain::rates_of(job.ended).final_attempt;
        return std::tuple(rate.value.value_or(1.0), job.workflow, job.job);
    });
    if (jobs.size() > kWorstJobs) {
        jobs.resize(kWorstJobs);
    }
    return jobs;
}

std::vector<OnboardingStep> onboarding_of(const BackendFacts& facts) {
    const auto& line = facts.line;
    const bool reported = line.running > 0 || line.last_result_at.has_value();
    return {
        {.step = "listed", .done = true, .at = std::nullopt, .hint = ""},
        {.step = "dispatched",
         .done = line.last_sent_at.has_value(),
         .at = line.last_sent_at,
         .hint = "install the GitHub App on the repository, then send a test: baton downstream "
                 "dispatch"},
        {.step = "first_report",
         .done = reported,
         .at = std::nullopt,
         .hint = "add the reporting step to the workflow that repository_dispatch starts"},
        {.step = "first_result",
         .done = line.last_result_at.has_value(),
         .at = line.last_result_at,
         .hint = "report `completed` too, also when the job fails"},
        {.step = "token_bound",
         .done = facts.bound,
         .at = std::nullopt,
         .hint = "send the callback_token of the dispatch's client_payload back with each report"},
        {.step = "pinned",
         .done = facts.pinned,
         .at = std::nullopt,
         .hint = "the repository's numbers are kept with its first report"},
    };
}

} // namespace

BackendPage backend_page_of(BackendFacts facts) {
    BackendPage page;
    page.onboarding = onboarding_of(facts);
    page.queue = domain::spread_of(std::move(facts.times.queue));
    page.run = domain::spread_of(std::move(facts.times.run));
    page.worst_jobs = worst_of(std::move(facts.jobs));
    page.days = std::move(facts.days);
    page.line = std::move(facts.line);
    page.window = std::move(facts.window);
    return page;
}

} // namespace baton::hud
