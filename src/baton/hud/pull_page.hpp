#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/run.hpp"
#include "baton/domain/signature.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/delivery.hpp"
#include "baton/ports/failures.hpp"
#include "baton/ports/views.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::hud {

/// How a downstream stands on one commit: as its cells do, or, while there are none, as the
/// dispatch.
enum class Standing : std::uint8_t {
    success = 1,
    flaky,
    failure,
    timed_out,
    neutral,
    cancelled,
    skipped,
    action_required,
    running,
    waiting,     // sent or to be sent; nobody has started
    silent,      // nobody started it in time
    undelivered, // it could not be sent
    delivered,   // sent to one that reports nothing
    superseded,  // a newer commit came before it was sent
};

std::string_view name_of(Standing standing);

/// How the same job stood on trunk, and what that makes of it here.
struct AgainstTrunk {
    domain::AgainstBase state{};
    std::optional<ports::TrunkCell> trunk; // none: unknown
};

/// All attempts of one job on one commit, oldest first.
struct Cell {
    std::string workflow;
    std::string job;
    domain::CellOutcome outcome{};
    std::vector<domain::Job> attempts;
    std::optional<AgainstTrunk> against_base;       // none: nothing to tell
    std::optional<domain::Attribution> attribution; // of one that failed, timed out or is flaky
};

struct FailedTestOf {
    JobId job{};
    std::size_t place{0}; // in its report
    domain::FailedTest test;
    std::optional<domain::ClusterId> cluster; // none: it is in none
    std::size_t also_in{0};                   // other downstreams with it on this commit
    std::size_t seen_before{0};               // other pull requests with it, lately
};

struct BackendOnPull {
    RepoName repo;
    domain::Level level{};                     // that holds now
    std::optional<domain::Level> lowered_from; // the listed one
    std::string device;
    bool blocking{false};
    bool blocking_unknown{false}; // it is in the gate, and nobody knows what it would say
    std::string gate_rule;        // what the gate does with it then; empty: it is not in the gate
    Standing standing{Standing::waiting};
    std::string reason;
    domain::DispatchState state{};          // of the newest dispatch
    std::optional<TimePoint> dispatched_at; // when it was sent
    std::vector<Cell> cells;
    std::vector<FailedTestOf> failed_tests;
};

/// over: another commit came, or the pull request was closed, before the gate was decided.
enum class Merge : std::uint8_t { clear = 1, blocked, waiting, not_gated, over };

std::string_view name_of(Merge merge);

struct Verdict {
    Merge merge{Merge::not_gated};
    std::string text;
};

/// One line of the story.
struct Happening {
    TimePoint at{};
    std::string_view kind;
    std::string delivery;
    std::string downstream;
    std::string text;
};

struct PullFacts {
    domain::PullRequest pull;
    HeadSha head; // the commit that is shown
    std::vector<ports::HeadView> heads;
    std::vector<domain::Run> runs; // of that commit, newest first
    std::vector<ports::KeptPosting> postings;
    std::vector<ports::Delivery> deliveries;
    std::vector<FailedTestOf> failed_tests;
    std::vector<ports::CommitCell> around; // of that commit
    std::vector<DownstreamLine> lines;     // of this upstream
    std::string gate_name;
};

/// Somebody who would hear of it, but is sent nothing now.
struct Withheld {
    RepoName repo;
    domain::Level level{};
    std::optional<domain::Level> lowered_from;
    std::string reason;
};

struct PullPage {
    domain::PullRequest pull;
    HeadSha head;
    std::vector<ports::HeadView> heads;
    Verdict verdict;
    std::optional<ports::KeptPosting> gate;
    std::vector<ports::KeptPosting> checks; // without the gate
    std::vector<BackendOnPull> backends;    // blocking first, then by level, then the worst
    std::vector<Withheld> withheld;         // of an open one's newest commit, by name
    std::vector<Happening> timeline;        // oldest first
};

PullPage pull_page_of(PullFacts facts);

/// The cells of these jobs, by name; jobs that do not count are left out.
std::vector<Cell> cells_of(std::vector<domain::Job> told);

/// The newest dispatch to a downstream for one commit.
struct Sent {
    domain::Level level{};
    std::optional<domain::DispatchState> state;
    bool silent{false};
};

/// The worst of them, or how the dispatch stands while there is none.
Standing standing_of(const std::vector<domain::CellOutcome>& cells, const Sent& sent);
Standing standing_of(const ports::PullRow::Backend& backend);

} // namespace baton::hud
