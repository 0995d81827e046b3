#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/breaker.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/run.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What the tests of the circuit breaker share: runs, told by what became of them.
namespace baton::domain::breaker_story {

using namespace std::chrono_literals;

inline constexpr TimePoint kNow = from_ms(1'800'000'000'000);
inline const std::string kBase = "refs/heads/main";

enum class What : std::uint8_t {
    waiting = 1, // sent, and there is still time
    silent,      // nobody started it
    called,      // silent, and the sweeper said so
    running,
    stuck, // running for too long
    clean,
    red,
    timed_out, // by the downstream's own word
    lost,      // never heard of again
    stopped,   // a job was cancelled
    superseded,
    cancelled,
    pending,
    untold, // GitHub did not take the dispatch
};

/// Who sent it, and when: by default a canary four hours ago.
struct From {
    std::optional<int> pr = std::nullopt;
    std::string author = {};
    bool writes = false;
    std::string event = std::string(kCanaryEvent);
    std::string ref = {};
    Millis ago = 4h; // when it was sent
};

inline From canary(Millis ago = 4h) {
    return {.ago = ago};
}

inline From base(Millis ago = 4h) {
    return {.event = "push", .ref = kBase, .ago = ago};
}

inline From writer(int pr, Millis ago = 4h) {
    return {
        .pr = pr,
        .author = "writer" + std::to_string(pr),
        .writes = true,
        .event = "pull_request",
        .ref = kBase,
        .ago = ago,
    };
}

inline From stranger(int pr, Millis ago = 4h) {
    auto from = writer(pr, ago);
    from.author = "stranger" + std::to_string(pr);
    from.writes = false;
    return from;
}

inline Job job_of(What what, TimePoint sent) {
    Job job;
    job.key = {.workflow = "CI", .job = "test", .run_id = "100", .attempt = 1};
    job.bound = true;
    job.run_proven = true;
    job.started_at = sent + 1min;
    if (what == What::running || what == What::stuck) {
        job.started_at = what == What::running ? kNow - 1min : kNow - 3h;
        return job;
    }
    job.status = JobStatus::completed;
    job.completed_at = sent + 10min;
    job.conclusion = what == What::clean     ? Conclusion::success
                     : what == What::red     ? Conclusion::failure
                     : what == What::stopped ? Conclusion::cancelled
                                             : Conclusion::timed_out;
    job.said_by = what == What::lost ? SaidBy::relay : SaidBy::downstream;
    return job;
}

inline DispatchState state_of(What what) {
    switch (what) {
    case What::waiting:
    case What::silent:
    case What::called:
        return DispatchState::sent;
    case What::running:
    case What::stuck:
        return DispatchState::started;
    case What::clean:
    case What::red:
    case What::timed_out:
    case What::lost:
    case What::stopped:
        return DispatchState::finished;
    case What::superseded:
        return DispatchState::superseded;
    case What::cancelled:
        return DispatchState::cancelled;
    case What::pending:
        return DispatchState::pending;
    case What::untold:
        return DispatchState::dead;
    }
    return DispatchState::pending;
}

inline SeenRun seen(What what, const From& from = {}) {
    SeenRun one;
    auto& dispatch = one.run.dispatch;
    const auto sent = what == What::waiting ? kNow - 1min : kNow - from.ago;
    dispatch.id = DispatchId{1};
    dispatch.event_type = from.event;
    dispatch.ref = from.ref;
    dispatch.head = HeadSha("a");
    dispatch.state = state_of(what);
    dispatch.created_at = sent;
    dispatch.sent_at = sent;
    if (from.pr) {
        dispatch.pr = PrNumber{*from.pr};
    }
    if (what == What::called) {
        one.run.silent_at = sent + 5min;
    }
    const auto state = dispatch.state;
    if (state == DispatchState::started || state == DispatchState::finished) {
        one.run.jobs = {job_of(what, sent)};
    }
    one.author = Login(from.author);
    one.author_writes = from.writes;
    return one;
}

/// Newest first.
inline BreakerFacts history(std::vector<SeenRun> recent) {
    BreakerFacts facts;
    facts.upstream = *RepoName::parse("up/stream");
    facts.downstream = *RepoName::parse("down/npu");
    facts.base_ref = kBase;
    facts.recent = std::move(recent);
    return facts;
}

inline BreakerFacts suspended_since(Millis ago, std::vector<SeenRun> recent) {
    auto facts = history(std::move(recent));
    facts.suspension = GateSuspension{
        .upstream = facts.upstream,
        .downstream = facts.downstream,
        .since = kNow - ago,
        .reason = "silent",
        .evidence = "{}",
        .by_hand = false,
        .actor = "baton",
    };
    return facts;
}

} // namespace baton::domain::breaker_story
