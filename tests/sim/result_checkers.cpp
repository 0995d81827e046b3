#include "baton/base/ids.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/checkers.hpp"
#include "sim/world.hpp"

namespace baton::test {

namespace {

using sim::Forgery;

domain::JobKey key_of(const sim::Report& report) {
    return {
        .workflow = report.run.workflow,
        .job = report.step.job,
        .run_id = std::to_string(report.run.id),
        .attempt = report.run.attempt,
    };
}

std::string name_of(const World::Told& told) {
    const auto& report = told.report;
    return fmt::format(
        "{} {} of run {} for {}",
        report.run.repo.text(),
        report.step.job,
        report.run.id,
        told.delivery
    );
}

class ResultInspection {
public:
    explicit ResultInspection(World& world)
        : world_(world) {}

    std::vector<std::string> findings() {
        findings_ = world_.steps_back();
        for (const auto& told : world_.told()) {
            look_at_answer(told);
        }
        look_at_claims();
        for (const auto& id : world_.accepted()) {
            for (const auto& one : world_.history(id).dispatches) {
                look_at_jobs(one);
            }
        }
        return findings_;
    }

private:
    /// What was answered with 200 is in the store as it was said.
    void look_at_answer(const World::Told& told) {
        const auto& report = told.report;
        const bool kept = told.answer.status == 200 && !told.answer.ignored;
        if (!kept || report.script == sim::Script::nightly) {
            return;
        }
        const auto jobs = world_.jobs_of(DeliveryId(told.delivery), report.run.repo);
        const auto job = std::ranges::find(jobs, key_of(report), &domain::Job::key);
        if (job == jobs.end()) {
            wrong(fmt::format("{} was taken and is not in the store", name_of(told)));
            return;
        }
        const auto said = domain::conclusion_named(report.step.conclusion);
        const bool with_token = report.step.forgery != sim::Forgery::no_callback_token;
        if (said && job->conclusion != said && (with_token || !job->replaced)) {
            wrong(fmt::format("{} is not in the store as it was said", name_of(told)));
        }
        if (told.answer.proceed == true && with_token) {
            const auto dispatch = job->subject.dispatch.value_or(DispatchId{});
            claims_[{dispatch, report.run.repo, report.run.workflow}].insert(report.run.id);
        }
    }

    /// One run per dispatch and workflow is told to proceed, of those that show the token.
    void look_at_claims() {
        for (const auto& [what, runs] : claims_) {
            if (runs.size() > 1) {
                wrong(fmt::format(
                    "{} runs of {} were told to proceed for dispatch {}",
                    runs.size(),
                    std::get<RepoName>(what).text(),
                    static_cast<std::int64_t>(std::get<DispatchId>(what))
                ));
            }
        }
    }

    void look_at_jobs(const ports::DispatchHistory& one) {
        std::map<std::pair<std::string, std::string>, int> verdicts; // workflow and job, attempt
        std::map<std::string, std::set<std::string>> runs;           // that count, by workflow
        for (const auto& job : one.jobs) {
            look_for_forgery(one.dispatch, job);
            if (!job.counts) {
                continue;
            }
            runs[job.key.workflow].insert(job.key.run_id);
            if (job.conclusion) {
                const auto attempt = fmt::format("{} {}", job.key.job, job.key.attempt);
                ++verdicts[{job.key.workflow, attempt}];
            }
        }
        const auto name = fmt::format(
            "{} to {}", one.dispatch.key.delivery.text(), one.dispatch.key.downstream.text()
        );
        for (const auto& [what, count] : verdicts) {
            if (count > 1) {
                wrong(fmt::format("{} has {} verdicts of {}", name, count, what.second));
            }
        }
        for (const auto& [workflow, ids] : runs) {
            if (ids.size() > 1) {
                wrong(fmt::format("{} runs of {} count for {}", ids.size(), workflow, name));
            }
        }
    }

    /// Forgeries carry their kind in the name of their job.
    void look_for_forgery(const domain::Dispatch& dispatch, const domain::Job& job) {
        const auto is = [&](Forgery forgery) {
            return job.key.job == fmt::format("forged-{}", sim::name_of(forgery));
        };
        const bool refused_always = is(Forgery::wrong_audience) || is(Forgery::other_repo) ||
                                    is(Forgery::other_delivery) || is(Forgery::other_dispatch);
        if (refused_always || (is(Forgery::other_run) && job.level >= domain::Level::l3)) {
            wrong(fmt::format("{} of run {} was taken in", job.key.job, job.key.run_id));
        }
        if ((is(Forgery::no_callback_token) && job.bound) ||
            (is(Forgery::other_run) && job.run_proven)) {
            wrong(fmt::format("{} of run {} counts as bound", job.key.job, job.key.run_id));
        }
        if (job.subject.pr != dispatch.pr || job.subject.head != dispatch.head) {
            wrong(fmt::format("{} of run {} is put elsewhere", job.key.job, job.key.run_id));
        }
    }

    void wrong(std::string sentence) { findings_.push_back(std::move(sentence)); }

    World& world_;
    std::map<std::tuple<DispatchId, RepoName, std::string>, std::set<std::int64_t>> claims_;
    std::vector<std::string> findings_;
};

} // namespace

std::vector<std::string> check_results(World& world) {
    return ResultInspection(world).findings();
}

} // namespace baton::test
