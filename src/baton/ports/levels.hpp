#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/notification.hpp"
#include "baton/ports/view_window.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// What the ladder reads and keeps.
namespace baton::ports {

/// Which events: those whose first dispatch was sent in the window. Reports are counted by days of
/// that length.
struct EvidenceQuery {
    RepoName upstream;
    ViewWindow window;
    Millis day_length{std::chrono::hours{24}};
};

/// How many dispatches of a day could not be sent: the relay's own health.
struct SendingHealth {
    std::size_t dispatches{0};
    std::size_t unsent{0}; // failed, dead, or not sent within an hour
};

/// A downstream's stored days and where it stands.
struct KeptLadder {
    RepoName upstream;
    RepoName downstream;
    domain::LadderHistory history; // of the window asked for; how long a day is, the caller knows
    std::optional<domain::LadderStanding> standing;
};

struct KeptEvaluation {
    RepoName upstream;
    RepoName downstream;
    TimePoint as_of{};
    int revision{0};
    std::string profile; // "baton/1"
    std::string verdict; // JSON, as wire/ladder_json writes it
    std::string digest;  // of the days behind it
};

struct KeptTransition {
    std::int64_t id{0};
    RepoName upstream;
    RepoName downstream;
    TimePoint at{}; // when it was written
    TimePoint as_of{};
    domain::LadderTransition transition;
    std::string profile;
    std::string figures; // JSON: criteria with measured values, n and bounds
    std::string digest;
    std::string actor; // "baton", or who did it
    std::string pull;  // of a proposal: the address of its pull request; empty: there is none
};

/// Where a proposal was put before the keepers of the list.
struct ProposalPull {
    std::int64_t move{0}; // the line of the ledger
    RepoName repo;
    PrNumber number{};
    std::string url;
    TimePoint at{};
};

/// A downstream at level 1 reported on a dispatch, as it would at level 2.
struct NewRehearsal {
    DispatchId dispatch{};
    bool ended{false}; // a job of it
    TimePoint at{};
};

using RehearsalKeeper = std::function<boost::asio::awaitable<Result<void>>(NewRehearsal)>;

/// Somebody said something on a pull request who is on call for these.
struct NewAnswer {
    RepoName upstream;
    PrNumber pr{};
    std::vector<RepoName> downstreams;
    TimePoint at{};
};

/// A red outcome as it was judged: what explains an exclusion without judging anew.
struct RedOutcome {
    DispatchId dispatch{};
    TimePoint sent_at{};
    std::optional<PrNumber> pr;
    HeadSha head;
    std::string event_type;
    std::string workflow; // empty, as `job`: nobody started the event
    std::string job;
    domain::OutcomeClass outcome{};
    domain::ExclusionRule rule{};
    bool excluded{false};
    bool provisional{false};
    std::string evidence;

    friend bool operator==(const RedOutcome&, const RedOutcome&) = default;
};

/// The days of one downstream counted anew; those that are as they were cost nothing.
struct CountedDays {
    RepoName downstream;
    std::vector<domain::LadderDay> days;
    std::vector<RedOutcome> red{}; // of all these days; what was kept of them gives way
};

inline constexpr int kRedDays = 14; // as far back as days are counted anew

struct RedQuery {
    RepoName upstream;
    RepoName downstream;
    ViewWindow window; // by when they were dispatched
    std::size_t newest{20};
};

struct RedView {
    struct OfRule {
        domain::ExclusionRule rule{};
        std::size_t red{0};
        std::size_t excluded{0};
    };

    ViewWindow window;
    std::vector<OfRule> by_rule;    // most frequent first
    std::vector<RedOutcome> newest; // excluded ones, newest first
};

struct LadderOutcome {
    RepoName downstream;
    domain::LadderStanding standing;
    std::optional<KeptEvaluation> evaluation;
    std::vector<KeptTransition> transitions; // without ids
};

/// One `as_of` of one upstream: all of it or nothing.
struct LadderCommit {
    RepoName upstream;
    TimePoint as_of{};
    TimePoint counted_from{}; // the oldest day that was counted anew
    std::vector<CountedDays> days;
    std::vector<LadderOutcome> outcomes;
    std::vector<domain::Notification> notifications; // each with a letter to every receiver
    TimePoint now{};
};

struct TransitionQuery {
    std::optional<RepoName> upstream;
    std::optional<RepoName> downstream;
    std::optional<std::int64_t> before; // id of the last line of the page before
    std::size_t limit{50};
};

class Levels {
public:
    template <class T> using Awaitable = boost::asio::awaitable<Result<T>>;

    Levels() = default;
    Levels(const Levels&) = delete;
    Levels& operator=(const Levels&) = delete;
    virtual ~Levels() = default;

    /// Everything that was dispatched in the window, by all downstreams, with how its pull requests
    /// ended and what people said of it. Canaries, tests by hand and tellings of a closed pull
    /// request are no events. `not_found` when results of that time are past retention.
    virtual Awaitable<domain::LadderEvidence> evidence(EvidenceQuery query) = 0;
    /// Of the dispatches that were made in the window.
    virtual Awaitable<SendingHealth> sending(RepoName upstream, ViewWindow window) = 0;
    /// Of everybody who was ever evaluated or has days in the window.
    virtual Awaitable<std::vector<KeptLadder>> ladders(RepoName upstream, ViewWindow window) = 0;
    /// A day whose digest is the one that is kept costs nothing; another one is its next revision.
    /// So is an evaluation that says something else than the kept one of its `as_of`.
    virtual Awaitable<void> commit(LadderCommit commit) = 0;
    virtual Awaitable<std::vector<KeptEvaluation>> // newest first, the newest revision of each day
    evaluations(RepoName upstream, RepoName downstream, std::size_t limit) = 0;
    virtual Awaitable<std::vector<KeptTransition>> transitions(TransitionQuery query) = 0;
    /// The first one of a proposal stands. `not_found`: no such line.
    virtual Awaitable<void> note_pull(ProposalPull pull) = 0;
    virtual Awaitable<RedView> reds(RedQuery query) = 0;
    /// A person's word about one outcome; replaces an earlier one.
    virtual Awaitable<void> rule(domain::LadderRuling ruling) = 0;
    virtual Awaitable<void> note_rehearsal(NewRehearsal rehearsal) = 0;
    /// The same one twice is one. What is older than any evidence is forgotten.
    virtual Awaitable<void> note_answer(NewAnswer answer) = 0;
};

} // namespace baton::ports
