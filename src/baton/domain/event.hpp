#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace baton::domain {

/// GitHub's word for what the author of a pull request is to the repository.
enum class Association : std::uint8_t {
    none,
    first_timer,
    first_time_contributor,
    contributor,
    collaborator,
    member,
    owner,
};

/// What a `pull_request` webhook says, as far as Baton acts on it.
struct PullRequestFacts {
    PrNumber number{};
    HeadSha head;
    std::string head_ref;
    HeadSha base;
    std::string base_ref;
    HeadSha before; // `synchronize`: the head that the new commit replaced; else empty
    bool open{true};
    bool draft{false};
    std::vector<std::string> labels;
    std::string label; // the one that `labeled` and `unlabeled` are about
    Login author;
    std::string title; // one harmless line, at most 256 bytes
    Association association{Association::none};
    TimePoint updated_at{};               // GitHub's clock: tells reordered webhooks apart
    std::optional<TimePoint> closed_at{}; // by the same clock; merged or not
    std::optional<TimePoint> merged_at{};

    friend bool operator==(const PullRequestFacts&, const PullRequestFacts&) = default;
};

/// What a `push` webhook says.
struct PushFacts {
    std::string ref; // refs/heads/main, refs/tags/v1
    HeadSha before;
    HeadSha after;
    bool deleted{false};
    std::vector<std::string> files; // added, modified or removed, as far as GitHub lists them
    bool files_complete{true};      // false when GitHub listed only some of the commits

    friend bool operator==(const PushFacts&, const PushFacts&) = default;
};

/// `check_run` and `check_suite` `rerequested`: somebody pressed "re-run" on the upstream.
struct RerequestFacts {
    HeadSha head;
    std::string check;       // its name; empty: the whole suite
    std::string external_id; // as we gave it: "<run_id>:<pr>"
    std::int64_t app_id{0};  // whose check it is

    friend bool operator==(const RerequestFacts&, const RerequestFacts&) = default;
};

/// `issue_comment` `created`.
struct CommentFacts {
    PrNumber number{};
    std::string text; // cut to limits::kCommandBytesMax
    bool on_pull_request{false};

    friend bool operator==(const CommentFacts&, const CommentFacts&) = default;
};

/// `merge_group` `checks_requested`: the merge queue asks for the verdict on a commit of its own.
struct MergeGroupFacts {
    HeadSha head;
    std::string base_ref; // refs/heads/main

    friend bool operator==(const MergeGroupFacts&, const MergeGroupFacts&) = default;
};

/// Any other webhook: kept, and read again by whoever needs more of it.
struct OtherFacts {
    friend bool operator==(const OtherFacts&, const OtherFacts&) = default;
};

/// One webhook, parsed once at the edge.
struct Event {
    DeliveryId delivery;
    std::string name;   // X-GitHub-Event
    std::string action; // empty when the event has none
    std::optional<RepoName> repository;
    Login sender;
    std::variant<
        PullRequestFacts,
        PushFacts,
        RerequestFacts,
        CommentFacts,
        MergeGroupFacts,
        OtherFacts>
        facts;

    friend bool operator==(const Event&, const Event&) = default;
};

/// Whether Baton acts on an event, and if not, why not: a short fixed reason, so that it can be
/// counted.
struct Concern {
    bool ours{false};
    std::string_view reason; // why it is ignored; empty when ours

    friend bool operator==(const Concern&, const Concern&) = default;
};

/// A file of a repository whose change a push can announce: an allowlist.
struct WatchedFile {
    RepoName repo;
    std::string path;
    std::string ref; // branch name

    friend bool operator==(const WatchedFile&, const WatchedFile&) = default;
};

/// Whether a push changes the file, or may: GitHub does not list every file of a long push.
bool may_change(const Event& event, const WatchedFile& file);

/// What the configuration names: events of other repositories are not ours.
struct Interests {
    std::vector<RepoName> upstreams;
    std::vector<WatchedFile> files; // perhaps of repositories that are no upstream
};

Concern concern_of(const Event& event, const Interests& interests);

/// Whether an event of this name and action can concern us at all, whatever its body says.
bool may_concern(std::string_view name, std::string_view action);

/// Forwarded to downstreams: pull_request opened, reopened, synchronize, closed; push of a branch
/// or tag. Everything else only moves Baton's own state.
bool is_forwarded(const Event& event);

Association association_named(std::string_view name
); // GitHub's spelling; unknown words count as none

} // namespace baton::domain
