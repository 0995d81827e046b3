#include "job_text.hpp"

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "print.hpp"

namespace baton::program {

namespace json = boost::json;

namespace {

std::string rounded(Millis duration) {
    using std::chrono::seconds;
    return baton::to_text(
        duration < seconds{10} ? duration : Millis{std::chrono::round<seconds>(duration)}
    );
}

std::string how_it_stands(const domain::Job& job) {
    if (job.status == domain::JobStatus::in_progress) {
        return "in progress";
    }
    const auto took = execution_of(job);
    return fmt::format(
        "{}{}",
        job.conclusion ? name_of(*job.conclusion) : "completed",
        took ? " after " + rounded(*took) : ""
    );
}

json::value time_or_null(std::optional<TimePoint> when) {
    return when ? json::value(to_rfc3339(*when)) : json::value(nullptr);
}

json::value seconds_or_null(std::optional<Millis> duration) {
    return duration ? json::value(std::chrono::duration<double>(*duration).count())
                    : json::value(nullptr);
}

} // namespace

std::string name_of_job(const domain::Job& job) {
    return fmt::format(
        "{}{}{}, run {}{}",
        inert(job.key.workflow),
        job.key.job.empty() ? "" : " / ",
        inert(job.key.job),
        inert(job.key.run_id),
        job.key.attempt == 1 ? "" : fmt::format(" (attempt {})", job.key.attempt)
    );
}

std::string words_about(const domain::Job& job) {
    std::vector<std::string> words{how_it_stands(job)};
    if (job.tests) {
        words.push_back(fmt::format("{} of {} tests failed", job.tests->failed, job.tests->total));
    }
    if (job.said_by == domain::SaidBy::relay) {
        words.emplace_back("the relay's own word: nothing was heard in time");
    }
    if (job.replaced) {
        words.emplace_back("replaces the relay's own word");
    }
    if (job.start_missed) {
        words.emplace_back("its start was never reported");
    }
    if (!job.counts) {
        words.emplace_back("does not count: another run has the dispatch");
    }
    if (!job.bound && job.subject.dispatch) {
        words.emplace_back("unbound: no callback token");
    }
    if (job.commit != domain::CommitCheck::known) {
        words.push_back(fmt::format("commit {}", name_of(job.commit)));
    }
    if (is_skewed(job)) {
        words.emplace_back("its clock is off");
    }
    return fmt::format("{}", fmt::join(words, "; "));
}

json::object to_json(const domain::Job& job) {
    json::object out{
        {"id", static_cast<std::int64_t>(job.id)},
        {"workflow", json_text(job.key.workflow)},
        {"job", json_text(job.key.job)},
        {"run_id", json_text(job.key.run_id)},
        {"run_attempt", job.key.attempt},
        {"status", name_of(job.status)},
        {"conclusion", nullptr},
        {"said_by", job.said_by == domain::SaidBy::relay ? "relay" : "downstream"},
        {"bound", job.bound},
        {"run_proven", job.run_proven},
        {"counts", job.counts},
        {"start_missed", job.start_missed},
        {"replaced", job.replaced},
        {"commit", name_of(job.commit)},
        {"level", name_of(job.level)},
        {"url", json_text(job.url)},
        {"started_at", time_or_null(job.started_at)},
        {"completed_at", time_or_null(job.completed_at)},
        {"queue_s", seconds_or_null(job.queue)},
        {"execution_s", seconds_or_null(execution_of(job))},
        {"end_to_end_s", seconds_or_null(end_to_end_of(job))},
        {"skewed", is_skewed(job)},
        {"tests", nullptr},
    };
    if (job.conclusion) {
        out["conclusion"] = name_of(*job.conclusion);
    }
    if (job.tests) {
        out["tests"] = json::object{
            {"passed", job.tests->passed},
            {"failed", job.tests->failed},
            {"skipped", job.tests->skipped},
            {"total", job.tests->total},
        };
    }
    return out;
}

} // namespace baton::program
