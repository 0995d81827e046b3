#include "baton/sim/stepped_writing.hpp"

#include "baton/base/result.hpp"
#include "baton/ports/github_writing.hpp"
#include "baton/sim/crash_points.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <utility>

namespace baton::sim {

namespace asio = boost::asio;

namespace {

template <class T> Result<T> error_of(Errc code) {
    return fail(code, "ordered by a crash point");
}

} // namespace

asio::awaitable<Result<ports::Blob>> SteppedWriting::read_blob(ports::BlobQuery query) {
    constexpr VerbPoints kPoints{
        .before = "github.read_blob.before", .after = "github.read_blob.after"
    };
    auto work = [this, query = std::move(query)]() mutable {
        return inner_.read_blob(std::move(query));
    };
    return step_through<
        Result<ports::Blob>>(life_, kPoints, std::move(work), error_of<ports::Blob>);
}

asio::awaitable<Result<std::optional<ports::PullPlace>>>
SteppedWriting::find_pull(ports::PullFrom query) {
    constexpr VerbPoints kPoints{
        .before = "github.find_pull.before", .after = "github.find_pull.after"
    };
    auto work = [this, query = std::move(query)]() mutable {
        return inner_.find_pull(std::move(query));
    };
    return step_through<Result<std::optional<
        ports::
            PullPlace>>>(life_, kPoints, std::move(work), error_of<std::optional<ports::PullPlace>>);
}

asio::awaitable<Result<void>> SteppedWriting::make_branch(ports::NewBranch branch) {
    constexpr VerbPoints kPoints{
        .before = "github.make_branch.before", .after = "github.make_branch.after"
    };
    auto work = [this, branch = std::move(branch)]() mutable {
        return inner_.make_branch(std::move(branch));
    };
    return step_through<Result<void>>(life_, kPoints, std::move(work), error_of<void>);
}

asio::awaitable<Result<void>> SteppedWriting::write_blob(ports::NewBlob blob) {
    constexpr VerbPoints kPoints{
        .before = "github.write_blob.before", .after = "github.write_blob.after"
    };
    auto work = [this, blob = std::move(blob)]() mutable {
        return inner_.write_blob(std::move(blob));
    };
    return step_through<Result<void>>(life_, kPoints, std::move(work), error_of<void>);
}

asio::awaitable<Result<ports::PullPlace>> SteppedWriting::propose_pull(ports::PullDraft draft) {
    constexpr VerbPoints kPoints{
        .before = "github.propose_pull.before", .after = "github.propose_pull.after"
    };
    auto work = [this, draft = std::move(draft)]() mutable {
        return inner_.propose_pull(std::move(draft));
    };
    return step_through<
        Result<ports::PullPlace>>(life_, kPoints, std::move(work), error_of<ports::PullPlace>);
}

asio::awaitable<Result<bool>> SteppedWriting::has_issue_comment(ports::IssueCommentQuery query) {
    constexpr VerbPoints kPoints{
        .before = "github.has_issue_comment.before", .after = "github.has_issue_comment.after"
    };
    auto work = [this, query = std::move(query)]() mutable {
        return inner_.has_issue_comment(std::move(query));
    };
    return step_through<Result<bool>>(life_, kPoints, std::move(work), error_of<bool>);
}

asio::awaitable<Result<void>> SteppedWriting::post_issue_comment(ports::IssueComment comment) {
    constexpr VerbPoints kPoints{
        .before = "github.post_issue_comment.before", .after = "github.post_issue_comment.after"
    };
    auto work = [this, comment = std::move(comment)]() mutable {
        return inner_.post_issue_comment(std::move(comment));
    };
    return step_through<Result<void>>(life_, kPoints, std::move(work), error_of<void>);
}

} // namespace baton::sim
