#include "e2e/chaos/result_history.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "e2e/chaos/history.hpp"

namespace baton::test {

namespace {

using Jobs = std::vector<const domain::Job*>;

domain::JobKey key_of(const sim::Report& report) {
    return {
        .workflow = report.run.workflow,
        .job = report.step.job,
        .run_id = std::to_string(report.run.id),
        .attempt = report.run.attempt,
    };
}

class ResultInspection {
public:
    explicit ResultInspection(const History& history)
        : history_(history) {
        for (const auto& one : history.ledger) {
            for (const auto& row : one.dispatches) {
                auto& jobs = jobs_[{one.delivery.id.text(), row.dispatch.key.downstream}];
                for (const auto& job : row.jobs) {
                    jobs.push_back(&job);
                }
            }
        }
    }

    std::vector<std::string> findings() {
        for (const auto& sent : history_.reports) {
            look_at_answer(sent);
        }
        for (const auto& [what, runs] : claims_) {
            if (runs.size() > 1) {
                wrong(fmt::format(
                    "{} runs of {} were told to proceed for one dispatch",
                    runs.size(),
                    std::get<RepoName>(what).text()
                ));
            }
        }
        for (const auto& one : history_.ledger) {
            for (const auto& row : one.dispatches) {
                look_at_jobs(row);
            }
        }
        return findings_;
    }

private:
    void look_at_answer(const sim::SentReport& sent) {
        const auto& report = sent.report;
        if (sent.answer.status != 200 || sent.answer.ignored) {
            return;
        }
        const auto name = fmt::format(
            "{} {} of run {} for {}",
            report.run.repo.text(),
            report.step.job,
            report.run.id,
            sent.delivery_id
        );
        const auto& jobs = jobs_[{sent.delivery_id, report.run.repo}];
        const auto found = std::ranges::find_if(jobs, [&](const domain::Job* job) {
            return job->key == key_of(report);
        });
        if (found == jobs.end()) {
            wrong(name + " was answered with 200 and is not in the store");
            return;
        }
        const auto& job = **found;
        const auto said = domain::conclusion_named(report.step.conclusion);
        if (said && job.conclusion != said) {
            wrong(name + " is not in the store as it was said");
        }
        if (sent.answer.proceed == true) {
            const auto dispatch = job.subject.dispatch.value_or(DispatchId{});
            claims_[{dispatch, report.run.repo, report.run.workflow}].insert(report.run.id);
        }
    }

    void look_at_jobs(const ports::DispatchHistory& row) {
        const auto name = fmt::format(
            "{} to {}", row.dispatch.key.delivery.text(), row.dispatch.key.downstream.text()
        );
        std::map<std::string, std::size_t> verdicts;       // by workflow, job and attempt
        std::map<std::string, std::set<std::string>> runs; // that count, by workflow
        for (const auto& job : row.jobs) {
            if (job.subject.pr != row.dispatch.pr || job.subject.head != row.dispatch.head) {
                wrong(fmt::format("a result of {} is put elsewhere", name));
            }
            if (!job.conclusion && job.counts) {
                wrong(fmt::format("{} of {} never ended", job.key.job, name));
            }
            if (!job.counts) {
                continue;
            }
            runs[job.key.workflow].insert(job.key.run_id);
            const auto what =
                fmt::format("{} {} {}", job.key.workflow, job.key.job, job.key.attempt);
            verdicts[what] += job.conclusion ? 1 : 0;
        }
        for (const auto& [what, count] : verdicts) {
            if (count > 1) {
                wrong(fmt::format("{} has {} verdicts of {}", name, count, what));
            }
        }
        for (const auto& [workflow, ids] : runs) {
            if (ids.size() > 1) {
                wrong(fmt::format("{} runs of {} count for {}", ids.size(), workflow, name));
            }
        }
    }

    void wrong(std::string sentence) { findings_.push_back(std::move(sentence)); }

    const History& history_;
    std::map<std::pair<std::string, RepoName>, Jobs> jobs_;
    std::map<std::tuple<DispatchId, RepoName, std::string>, std::set<std::int64_t>> claims_;
    std::vector<std::string> findings_;
};

} // namespace

std::vector<std::string> broken_results(const History& history) {
    return ResultInspection(history).findings();
}

} // namespace baton::test
