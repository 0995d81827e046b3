#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What the store keeps of what stands on the upstream's pull requests.
namespace baton::ports {

/// A subject whose checks may have to change. Whatever changes facts raises its version, in the
/// same transaction.
struct Look {
    domain::Subject subject;
    std::int64_t version{0};
    TimePoint first_at{}; // when the subject was first heard of: the gate's clock
};

/// Which runs, newest first. Empty fields match everything; dispatches that only tell of a closing
/// never match. With a head it costs what that commit had; otherwise no more than the newest
/// `kWalkedMax` dispatches are looked through: of the downstream, of each kind of event by itself,
/// or of the whole upstream. What is older is not found.
struct RunsQuery {
    static constexpr std::size_t kWalkedMax = 2000;

    RepoName upstream;
    std::optional<RepoName> downstream;
    std::optional<PrNumber> pr;
    HeadSha head;
    std::vector<std::string> event_types;
    std::string ref;
    bool started_only{false}; // at least one job was heard of, or it fell silent
    std::size_t limit{20};
};

enum class PostingKind : std::uint8_t { check = 1, comment };

/// Something of ours on GitHub. A comment belongs to the pull request, whatever its head: its
/// subject's head is empty.
struct Posting {
    domain::Subject subject;
    PostingKind kind{PostingKind::check}; // with subject and name: what makes it the same one
    domain::Check check; // of a check; of a comment only `name`, which tells several apart
    std::string text;    // of a comment

    friend bool operator==(const Posting&, const Posting&) = default;
};

/// A posting as the store knows it.
struct KeptPosting : Posting {
    std::int64_t id{0};
    std::optional<std::int64_t> github_id; // none: not there yet, as far as we know
    bool in_step{false};                   // GitHub has what is wanted
    std::size_t calls{0};                  // to GitHub, so far
    std::string trouble;                   // why it is not there; empty: nothing is wrong
};

/// What should stand, after a look.
struct PostingCommit {
    Look look;
    /// Those that are as they were cost nothing, also when they are given up; none is ever removed.
    std::vector<Posting> wanted;
    std::vector<domain::NewRerun> reruns; // known keys are left alone
    std::optional<TimePoint> look_at;     // when time alone may change something; none: no more
    TimePoint now{};
};

struct PostingReceipt {
    std::size_t changed{0}; // postings that are new or other than before
    std::size_t ordered{0}; // re-runs that were not known yet
};

struct PostingQuery {
    InstanceId holder;
    TimePoint now{};
    TimePoint until{}; // the lease
    std::size_t limit{32};
};

/// A posting on its way; newer wishes that come meanwhile are posted afterwards, all at once.
struct TakenPosting {
    KeptPosting posting;
    std::int64_t version{0};   // of what is wanted
    bool perhaps_there{false}; // an attempt to create it has no end written down: look first
    /// Since it was last in step or given up; with the one that taking it recorded.
    int attempts{0};
    TimePoint wanted_since{}; // from when on it was out of step; wishes that follow do not move it
    Fence fence{};
};

/// How an attempt ended. Neither done nor `again_at`: it is given up until what is wanted changes.
/// Should it have changed meanwhile, it is due at once, unless GitHub has to be left alone until
/// `again_at`.
struct PostingEnd {
    std::int64_t id{0};
    Fence fence{};
    std::int64_t version{0};
    bool done{false};                      // `invalid` without an id, from now or from before
    std::optional<std::int64_t> github_id; // when it became known
    bool forget_id{false};                 // GitHub does not know it any more: create it anew
    /// False: it may be there all the same, or looking for it failed; so the next one looks first.
    bool certain{true};
    std::optional<TimePoint> again_at;
    std::size_t calls{0};
    std::string detail; // why it is not done
    TimePoint now{};
};

/// Subjects of this upstream that were looked at before are looked at again: heads of open pull
/// requests, and commits on which a check has not ended.
struct LookAgain {
    RepoName upstream;
    std::optional<RepoName> downstream; // only those that it was dispatched for
    bool all_open{false}; // also heads of open pull requests that were never looked at
    TimePoint now{};
};

struct RerunQuery {
    InstanceId holder;
    TimePoint now{};
    TimePoint until{};
    std::size_t limit{16};
};

struct TakenRerun {
    domain::Rerun order;
    int attempts{0}; // with the one that taking it recorded
    Fence fence{};
};

struct RerunEnd {
    std::int64_t id{0};
    Fence fence{};
    std::optional<domain::RerunState> state; // none, or waiting: again at `again_at`
    std::optional<TimePoint> again_at;       // none: at once
    std::string detail;
    TimePoint now{};
    DeliveryId afresh; // not empty: goes to the order's downstream once more, in the same step
};

/// Who lifts a gate suspension.
struct GateResumption {
    RepoName upstream;
    RepoName downstream;
    std::string reason;
    bool by_hand{false};
    std::string actor;
    TimePoint now{};
};

/// For metrics and the one-screen summary.
struct CheckCounts {
    std::size_t looks{0};   // subjects on the list, due now or later
    std::size_t waiting{0}; // postings out of step
    std::size_t given_up{0};
    std::size_t reruns{0};           // to be carried out
    std::optional<TimePoint> oldest; // since when the oldest waiting posting is out of step
};

} // namespace baton::ports
