#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace baton::ports {

/// A file on a branch, to be replaced.
struct BlobQuery {
    RepoName repo;
    std::string path;
    std::string branch;
};

struct Blob {
    std::string text;
    std::string sha; // of these bytes, as git names them
};

struct NewBranch {
    RepoName repo;
    std::string name;
    HeadSha at;
};

struct NewBlob {
    RepoName repo;
    std::string path;
    std::string branch;
    std::string text;
    std::string replaces; // the sha of what was read
    std::string message;  // of the commit
};

/// Which pull requests: those from a branch of the repository itself.
struct PullFrom {
    RepoName repo;
    std::string branch;
};

struct PullPlace {
    PrNumber number{};
    std::string url; // for people

    friend bool operator==(const PullPlace&, const PullPlace&) = default;
};

struct PullDraft {
    RepoName repo;
    std::string branch;
    std::string onto; // the branch that it asks to change
    std::string title;
    std::string text; // Markdown
};

struct IssueComment {
    RepoName repo;
    PrNumber issue{}; // issues and pull requests are numbered together
    std::string text; // Markdown
};

struct IssueCommentQuery {
    RepoName repo;
    PrNumber issue{};
    std::string mark; // text that only the comment looked for begins with
    TimePoint since{};
};

/// What Baton writes on GitHub outside an upstream's pull requests, and only where the
/// configuration turns it on: changes of an allowlist that it proposes, and comments on an issue.
/// Each call asks for the one right that it needs, ends within `limits::kGithubCallWait`, and may
/// be made again after an answer that was never heard. Besides what is named: not_found, forbidden,
/// invalid, throttled, unauthenticated, unavailable. Relay's executor.
class GithubWriting {
public:
    GithubWriting() = default;
    GithubWriting(const GithubWriting&) = delete;
    GithubWriting& operator=(const GithubWriting&) = delete;
    virtual ~GithubWriting() = default;

    virtual boost::asio::awaitable<Result<Blob>> read_blob(BlobQuery query) = 0;
    /// The newest from there, open or not; nullopt: there was none.
    virtual boost::asio::awaitable<Result<std::optional<PullPlace>>> find_pull(PullFrom query) = 0;
    /// One that is there already stays as it is.
    virtual boost::asio::awaitable<Result<void>> make_branch(NewBranch branch) = 0;
    /// One commit. `conflict`: the file is not what was read any more.
    virtual boost::asio::awaitable<Result<void>> write_blob(NewBlob blob) = 0;
    virtual boost::asio::awaitable<Result<PullPlace>> propose_pull(PullDraft draft) = 0;

    /// Whether this App wrote it, on that issue, since then.
    virtual boost::asio::awaitable<Result<bool>> has_issue_comment(IssueCommentQuery query) = 0;
    virtual boost::asio::awaitable<Result<void>> post_issue_comment(IssueComment comment) = 0;
};

} // namespace baton::ports
