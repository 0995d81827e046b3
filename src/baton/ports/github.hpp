#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/quota.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/retry.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace baton::ports {

/// One `repository_dispatch`, ready to send.
struct DispatchCall {
    RepoName downstream;
    std::string body; // the complete JSON request body
};

/// A file of a repository at a ref.
struct FileQuery {
    RepoName repo;
    std::string path;
    std::string ref;
    std::string etag; // of the version we have; empty for none
};

struct FileVersion {
    std::string text;
    std::string etag;
};

struct PermissionQuery {
    RepoName repo;
    Login login;
};

/// A page of GitHub's delivery log, newest first.
struct HookPage {
    std::vector<domain::HookTry> tries;
    std::string next; // the cursor of the page after it; empty: this was the last
};

struct PullsQuery {
    RepoName repo;
    int page{1};
};

/// A pull request as GitHub's API shows it.
struct PullView {
    PrNumber number{};
    HeadSha head;
    bool open{true};
    TimePoint updated_at{};
    std::string json; // the whole object
};

struct PullsPage {
    std::vector<PullView> pulls;
    bool more{false};
};

/// One check run to create, or to change when GitHub has it already.
struct CheckCall {
    RepoName repo;
    HeadSha head;
    std::optional<std::int64_t> id; // GitHub's number of it; none: create
    domain::Check check;
};

/// One comment on a pull request to create, or to change.
struct CommentCall {
    RepoName repo;
    PrNumber pr{};
    std::optional<std::int64_t> id; // none: create
    std::string text;               // Markdown
};

/// What GitHub said to a check or a comment.
struct Posted {
    domain::Answer answer;
    std::int64_t id{0}; // GitHub's number of it, when accepted
};

struct CheckQuery {
    RepoName repo;
    HeadSha head;
    std::string name;
};

struct CommentQuery {
    RepoName repo;
    PrNumber pr{};
    std::string mark; // text that only the comment looked for begins with
};

/// A run of GitHub Actions to be run again.
struct RerunCall {
    RepoName downstream;
    std::string run_id;
    bool failed_only{true};
};

enum class RerunAnswer : std::uint8_t {
    asked = 1,       // it runs again
    already_running, // fine: it has not ended yet
    refused,         // too old, deleted, or not ours to start: it has to be dispatched afresh
};

/// What the relay needs from GitHub. Every call ends within `limits::kGithubCallWait`, does its own
/// authentication and renews a refused token once. Used from the relay's own executor only.
class Github {
public:
    Github() = default;
    Github(const Github&) = delete;
    Github& operator=(const Github&) = delete;
    virtual ~Github() = default;

    /// Never fails as a call: whatever happens is an Answer, because each kind leads somewhere
    /// else.
    virtual boost::asio::awaitable<domain::Answer> dispatch(DispatchCall call) = 0;

    /// nullopt: unchanged since `etag`. not_found, unavailable, throttled, unauthenticated, invalid
    /// (too large).
    virtual boost::asio::awaitable<Result<std::optional<FileVersion>>> read_file(FileQuery query
    ) = 0;

    /// A person's rights on a repository; an unknown person has none.
    virtual boost::asio::awaitable<Result<domain::Permission>> permission(PermissionQuery query
    ) = 0;

    /// GitHub's record of the webhooks it sent to this App; `cursor` empty: the newest.
    virtual boost::asio::awaitable<Result<HookPage>> hook_log(std::string cursor) = 0;

    /// Asks GitHub to hand a webhook over once more. `try_id` is that of one of its tries.
    virtual boost::asio::awaitable<Result<void>> ask_again(std::int64_t try_id) = 0;

    /// The open ones, a page at a time.
    virtual boost::asio::awaitable<Result<PullsPage>> open_pulls(PullsQuery query) = 0;

    virtual boost::asio::awaitable<Result<PullView>> pull(RepoName repo, PrNumber number) = 0;

    /// The numbers that stay when a repository or its owner is renamed.
    virtual boost::asio::awaitable<Result<domain::ImmutableIds>> repository_ids(RepoName repo) = 0;

    /// The commit that a branch, a tag or `HEAD` (the default branch) names now.
    virtual boost::asio::awaitable<Result<HeadSha>> head_of(RepoName repo, std::string ref) = 0;

    /// False when GitHub says that there is no such commit. One of a fork counts when GitHub shows
    /// it through the repository that was forked.
    virtual boost::asio::awaitable<Result<bool>> has_commit(RepoName repo, HeadSha sha) = 0;

    // --- on the upstream's pull requests; whatever happens is an Answer, as for `dispatch`
    virtual boost::asio::awaitable<Posted> post_check(CheckCall call) = 0;
    virtual boost::asio::awaitable<Posted> post_comment(CommentCall call) = 0;

    /// The newest check run of that name that this App made on that commit; nullopt: none. Asked
    /// when the answer to a creation was never heard.
    virtual boost::asio::awaitable<Result<std::optional<std::int64_t>>> find_check(CheckQuery query
    ) = 0;
    virtual boost::asio::awaitable<Result<std::optional<std::int64_t>>>
    find_comment(CommentQuery query) = 0;

    /// not_found and forbidden are a RerunAnswer; unavailable, throttled and the like are errors.
    virtual boost::asio::awaitable<Result<RerunAnswer>> rerun(RerunCall call) = 0;

    /// What GitHub's limits leave of each account's requests. Needs no call.
    virtual const domain::QuotaBook& quotas() const = 0;
    /// What other replicas know of them counts here too, from now on.
    virtual void hear(const domain::OthersQuotas& others, TimePoint now) = 0;

    /// Whether the App's own credentials work: what /readyz asks. Cheap; cached by the adapter.
    virtual boost::asio::awaitable<Result<void>> check_access() = 0;
};

} // namespace baton::ports
