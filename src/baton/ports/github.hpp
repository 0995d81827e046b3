#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/retry.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

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

    /// Whether the App's own credentials work: what /readyz asks. Cheap; cached by the adapter.
    virtual boost::asio::awaitable<Result<void>> check_access() = 0;
};

} // namespace baton::ports
