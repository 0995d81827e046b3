#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::domain {

/// Whose word a conclusion is: the relay's own gives way to a later one of the downstream.
enum class SaidBy : std::uint8_t { downstream = 1, relay };

/// Whether the upstream has the commit that a self-report names.
enum class CommitCheck : std::uint8_t {
    known = 1,  // it comes from our own ledger, or GitHub said yes
    unverified, // GitHub could not say yet
    unknown,    // GitHub said no, after the report was taken: it does not count
};

std::string_view name_of(CommitCheck check);
std::optional<CommitCheck> commit_check_named(std::string_view name);

/// What a job ran for. From our ledger; of a self-report, from its body.
struct JobSubject {
    std::optional<DispatchId> dispatch; // none: a self-report
    RepoName downstream;
    RepoName upstream;
    std::string event_type; // pull_request, push, nightly, periodic
    std::optional<PrNumber> pr;
    HeadSha head;

    friend bool operator==(const JobSubject&, const JobSubject&) = default;
};

/// A job as the store knows it.
struct Job {
    JobId id{};
    JobSubject subject;
    JobKey key;
    JobStatus status{JobStatus::in_progress};
    std::optional<Conclusion> conclusion;
    SaidBy said_by{SaidBy::downstream};
    bool bound{false};        // its newest report carried the dispatch's callback token
    bool run_proven{false};   // its identity was not another run's, as far as its CI tells runs
    bool counts{true};        // false: another run has the claim, so its verdict is only shown
    bool start_missed{false}; // it ended without ever having begun
    bool replaced{false};     // the downstream's word came after the relay had concluded
    CommitCheck commit{CommitCheck::known};
    Level level{Level::l1}; // at its newest report
    std::string device;
    std::string url;
    std::string check_run_id;
    std::string artifact_url;
    std::optional<TestCounts> tests;
    std::optional<TimePoint> dispatched_at; // by our clock, as the next two
    std::optional<TimePoint> started_at;    // first heard of; none when the start was missed
    std::optional<TimePoint> completed_at;
    std::optional<TimePoint> their_start; // by theirs
    std::optional<TimePoint> their_end;
    std::optional<Millis> queue; // dispatch to the first start of its run; first attempts only

    friend bool operator==(const Job&, const Job&) = default;
};

/// Start to end by our clock; none without both.
std::optional<Millis> execution_of(const Job& job);
/// Dispatch to end by our clock.
std::optional<Millis> end_to_end_of(const Job& job);
/// Their clock is more than a minute from ours where both tell of the same moment.
bool is_skewed(const Job& job);

/// What is known when a report arrives.
struct Standing {
    std::optional<Job> job;
    std::string claimed_by;  // the run that has this dispatch and workflow; empty: nobody yet
    bool claim_bound{false}; // that run has shown the callback token
    bool superseded{false};  // the pull request has moved on to another commit
};

/// What a report does.
struct Weighed {
    enum class Effect : std::uint8_t {
        recorded = 1, // the job moves on
        duplicate,    // said before
        stale,        // a start after the end
        contradiction // another conclusion than the one that stands
    };

    Effect effect{Effect::recorded};
    bool counts{true};        // its run has the claim
    bool proceed{true};       // what the downstream is told to do
    std::string_view reason;  // why not: fixed words
    bool start_missed{false}; // an end without a start
    bool replaces{false};     // a conclusion of the relay's own, or one without the token
    bool takes_over{false};   // the claim of a run that never showed the token

    friend bool operator==(const Weighed&, const Weighed&) = default;
};

/// The whole of SPEC section 8's states in one function: a job moves forward only, a claim is its
/// first run's, the downstream's first conclusion stands. A report that shows the dispatch's token
/// (`bound`) is worth more than any that does not: it replaces what those said, takes their claim,
/// and nothing without a token is said over it.
Weighed weigh(const Standing& standing, const Report& report, bool bound);

/// What the jobs of one dispatch that count say together. A store may have it without reading each.
struct Heard {
    bool any{false};
    bool bound{false};   // one of them showed the token
    bool running{false}; // one of them has not ended

    friend bool operator==(const Heard&, const Heard&) = default;
};

Heard heard_from(const std::vector<Job>& jobs);

/// Where a dispatch stands, told by its jobs: started while one runs, finished when all have ended;
/// nothing while there is none. What was superseded or cancelled stays that. That one arrived which
/// is thought not to be there, only a job with its token proves.
std::optional<DispatchState> state_by_jobs(DispatchState state, const Heard& heard);

} // namespace baton::domain
