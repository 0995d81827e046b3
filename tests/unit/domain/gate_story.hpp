#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What the tests of gate and checks share: one downstream's runs, told in minutes after the event.
namespace baton::domain::gate_story {

using namespace std::chrono_literals;

inline constexpr TimePoint kAccepted = from_ms(1'800'000'000'000);
inline const RepoName kUpstream = *RepoName::parse("up/stream");
inline const RepoName kDown = *RepoName::parse("down/npu");

inline Downstream blocking(std::vector<std::string> required = {}) {
    Downstream one;
    one.repo = kDown;
    one.level = Level::l4;
    one.device = "npu";
    one.oncalls = {Login("fay")};
    one.required_jobs = std::move(required);
    return one;
}

/// A job that began `from` and, with a conclusion, ended `until` after the event.
struct Told {
    std::string name = "test";
    Millis from = 1min;
    std::optional<Conclusion> conclusion = std::nullopt;
    Millis until = 10min;
    int attempt = 1;
    std::string run = "100";
};

inline Job job(const Told& told) {
    Job one;
    one.subject = {
        .dispatch = DispatchId{1},
        .downstream = kDown,
        .upstream = kUpstream,
        .event_type = "pull_request",
        .pr = PrNumber{7},
        .head = HeadSha("a"),
    };
    one.key = {.workflow = "CI", .job = told.name, .run_id = told.run, .attempt = told.attempt};
    one.bound = true;
    one.run_proven = true;
    one.level = Level::l4;
    one.started_at = kAccepted + told.from;
    if (told.conclusion) {
        one.status = JobStatus::completed;
        one.conclusion = told.conclusion;
        one.completed_at = kAccepted + told.until;
    }
    one.id = JobId{one.key.attempt * 1000 + static_cast<std::int64_t>(told.name.size())};
    return one;
}

inline Run run(const std::vector<Told>& jobs, DispatchState state = DispatchState::sent) {
    Run one;
    one.dispatch.id = DispatchId{1};
    one.dispatch.key = {.delivery = DeliveryId("d1"), .downstream = kDown, .generation = 0};
    one.dispatch.upstream = kUpstream;
    one.dispatch.pr = PrNumber{7};
    one.dispatch.head = HeadSha("a");
    one.dispatch.level = Level::l4;
    one.dispatch.state = state;
    one.dispatch.created_at = kAccepted;
    for (const auto& each : jobs) {
        one.jobs.push_back(job(each));
    }
    return one;
}

inline GatePartFacts part(Run newest, std::vector<std::string> required = {}) {
    GatePartFacts facts;
    facts.downstream = blocking(std::move(required));
    facts.run = std::move(newest);
    return facts;
}

inline Rerun rerun(RerunCause cause, Millis at, RerunState state = RerunState::asked) {
    Rerun one;
    one.key = "k";
    one.downstream = kDown;
    one.cause = cause;
    one.actor = "ann";
    one.state = state;
    one.created_at = kAccepted + at;
    return one;
}

} // namespace baton::domain::gate_story
