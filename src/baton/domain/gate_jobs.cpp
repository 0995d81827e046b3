#include "baton/domain/gate.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

constexpr std::size_t kUsualRuns = 20;
constexpr std::size_t kUsualPercent = 80;

} // namespace

std::string_view name_of(PartState state) {
    switch (state) {
    case PartState::waiting:
        return "waiting";
    case PartState::running:
        return "running";
    case PartState::settling:
        return "settling";
    case PartState::held:
        return "held";
    case PartState::passed:
        return "passed";
    case PartState::failed:
        return "failed";
    case PartState::neutral:
        return "neutral";
    }
    return "";
}

bool is_decided(PartState state) {
    return state == PartState::passed || state == PartState::failed || state == PartState::neutral;
}

bool has_ended(const Job& job) {
    return job.status == JobStatus::completed;
}

bool is_red(Conclusion conclusion) {
    return conclusion != Conclusion::success && conclusion != Conclusion::neutral &&
           conclusion != Conclusion::skipped;
}

bool is_red(const Job& job) {
    return has_ended(job) && job.said_by == SaidBy::downstream && is_red(*job.conclusion);
}

bool is_red(const Run& run) {
    return std::ranges::any_of(standing_jobs(run), [](const Job& job) { return is_red(job); });
}

std::string label_of(const Job& job) {
    return job.key.job.empty() ? job.key.workflow
                               : fmt::format("{}/{}", job.key.workflow, job.key.job);
}

std::vector<Job> standing_jobs(const Run& run) {
    std::map<std::pair<std::string, std::string>, Job> newest;
    for (const auto& job : run.jobs) {
        if (!job.counts || !job.bound || !job.run_proven) {
            continue;
        }
        auto& known = newest[{job.key.workflow, job.key.job}];
        if (known.key.run_id.empty() || known.key.attempt <= job.key.attempt) {
            known = job;
        }
    }
    std::vector<Job> jobs;
    for (auto& [name, job] : newest) {
        jobs.push_back(std::move(job));
    }
    return jobs;
}

bool is_infrastructure_failure(const Job& job) {
    return has_ended(job) &&
           (job.conclusion == Conclusion::timed_out || job.conclusion == Conclusion::cancelled);
}

std::vector<std::string> awaited_jobs(const GatePartFacts& facts) {
    if (!facts.downstream.required_jobs.empty()) {
        return facts.downstream.required_jobs;
    }
    std::map<std::string, std::size_t> seen;
    std::size_t runs = 0;
    for (const auto& run : facts.before) {
        const auto jobs = standing_jobs(run);
        if (jobs.empty() || runs == kUsualRuns) {
            continue;
        }
        ++runs;
        for (const auto& job : jobs) {
            ++seen[label_of(job)];
        }
    }
    std::vector<std::string> usual;
    for (const auto& [name, times] : seen) {
        if (times * 100 >= runs * kUsualPercent) {
            usual.push_back(name);
        }
    }
    return usual;
}

} // namespace baton::domain
