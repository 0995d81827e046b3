#pragma once

#include "baton/base/result.hpp"
#include "baton/ports/github_writing.hpp"
#include "baton/sim/crash_points.hpp"

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace baton::sim {

/// A GithubWriting whose calls pass crash points, named like those of SteppedGithub:
/// `github.make_branch.after`. They are no part of `all_crash_points`, for a relay passes them only
/// where the configuration turns them on. `inner` outlives it.
class SteppedWriting final : public ports::GithubWriting {
public:
    SteppedWriting(ports::GithubWriting& inner, std::shared_ptr<Incarnation> life)
        : inner_(inner)
        , life_(std::move(life)) {}

    boost::asio::awaitable<Result<ports::Blob>> read_blob(ports::BlobQuery query) override;
    boost::asio::awaitable<Result<std::optional<ports::PullPlace>>> find_pull(ports::PullFrom query
    ) override;
    boost::asio::awaitable<Result<void>> make_branch(ports::NewBranch branch) override;
    boost::asio::awaitable<Result<void>> write_blob(ports::NewBlob blob) override;
    boost::asio::awaitable<Result<ports::PullPlace>> propose_pull(ports::PullDraft draft) override;
    boost::asio::awaitable<Result<bool>> has_issue_comment(ports::IssueCommentQuery query) override;
    boost::asio::awaitable<Result<void>> post_issue_comment(ports::IssueComment comment) override;

private:
    ports::GithubWriting& inner_;
    std::shared_ptr<Incarnation> life_;
};

} // namespace baton::sim
