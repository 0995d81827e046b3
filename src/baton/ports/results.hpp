#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What the store is told about results, and what it tells.
namespace baton::ports {

/// Something that follows from a report and is done after the answer: a sink is told.
struct Letter {
    std::string sink; // "hud"
    std::string body; // what it is told; compressed in the store
};

/// A report, authenticated and bound to what it is about.
struct ReportCommit {
    domain::JobSubject subject;
    domain::Report report;
    domain::Level level{domain::Level::l2};
    std::string device;
    bool bound{false};
    bool run_proven{false};
    domain::CommitCheck commit{domain::CommitCheck::known};
    std::vector<Letter> letters; // written with the report, when it is recorded
    TimePoint now{};
};

struct ReportReceipt {
    domain::Weighed weighed;
    domain::Job job; // as it stands after the report
};

// --- what did not come in time

struct SweepQuery {
    struct Waits {
        Millis start{};
        Millis run{};
    };

    TimePoint now{};
    Waits waits;
    std::map<std::pair<RepoName, RepoName>, Waits> own; // upstream, downstream
    std::vector<std::string> sinks;                     // told of each job that the relay ends
    std::size_t limit{1000};
};

inline const SweepQuery::Waits&
waits_of(const SweepQuery& query, const RepoName& upstream, const RepoName& downstream) {
    const auto own = query.own.find({upstream, downstream});
    return own == query.own.end() ? query.waits : own->second;
}

/// A dispatch that nobody started in time.
struct Silence {
    DispatchId dispatch{};
    RepoName downstream;
    bool superseded{false}; // a newer commit came: it is put away, and not held against anybody
};

struct Swept {
    std::vector<Silence> silent;
    std::vector<domain::Job> unheard; // never ended; as they stand now: timed out, or cancelled
};

// --- the outbox: what follows from what was recorded

/// A letter on its way. Those of one lane go in the order in which they were written.
struct TakenLetter {
    std::int64_t id{0};
    std::string sink;
    std::string lane;
    domain::Job job;     // what it tells of, as it stands now
    DeliveryId delivery; // that the job ran for; empty: a self-report
    std::string body;    // empty: the relay concluded by itself, and there is no report to pass on
    TimePoint created_at{};
    int attempts{0}; // with the one that taking it recorded
    Fence fence{};
};

struct LetterQuery {
    std::string sink;
    InstanceId holder;
    TimePoint now{};
    TimePoint until{}; // the lease
    std::size_t limit{32};
};

/// How an attempt ended. Neither done nor `again_at`: a dead letter.
struct LetterEnd {
    std::int64_t id{0};
    Fence fence{};
    bool done{false};
    std::optional<TimePoint> again_at;
    std::string detail;
    TimePoint now{};
};

/// A dead letter, for people.
struct DeadLetter {
    std::int64_t id{0};
    std::string sink;
    std::string lane;
    TimePoint created_at{};
    TimePoint died_at{};
    int attempts{0};
    std::string detail;
};

// --- roll-ups, kept on write

enum class Span : std::uint8_t { hour = 1, day };

/// What ended in one hour or day (UTC) at one downstream: jobs that count, by conclusion.
struct JobTally {
    TimePoint from{};
    RepoName upstream;
    RepoName downstream;
    std::map<domain::Conclusion, std::size_t> ended;
    std::size_t silent{0}; // dispatches
    Millis execution{};    // together, of those with both ends
    std::size_t executed{0};
    Millis queue{};
    std::size_t queued{0};

    friend bool operator==(const JobTally&, const JobTally&) = default;
};

struct TallyQuery {
    Span span{Span::day};
    RepoName downstream;
    TimePoint from{};
    TimePoint until{};
};

/// For metrics and the one-screen summary.
struct ResultCounts {
    std::size_t in_progress{0};
    std::map<domain::Conclusion, std::size_t> completed; // all jobs, whether they count or not
    std::size_t by_relay{0}; // of those: timed out and not heard of since
    std::size_t silent{0};   // dispatches
    std::size_t outbox_waiting{0};
    std::optional<TimePoint> outbox_oldest;
    std::size_t dead_letters{0};
};

} // namespace baton::ports
