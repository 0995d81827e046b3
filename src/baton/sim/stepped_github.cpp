#include "baton/sim/stepped_github.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/github.hpp"
#include "baton/sim/crash_points.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace baton::sim {

namespace asio = boost::asio;

namespace {

domain::Answer no_answer(Errc code) {
    const bool cancelled = code == Errc::cancelled;
    return domain::Answer{
        .outcome = cancelled ? domain::Outcome::unknown : domain::Outcome::not_sent,
        .status = 0,
        .detail = cancelled ? "this incarnation ended" : "ordered to fail before it was sent",
        .not_before = std::nullopt,
    };
}

ports::Posted not_posted(Errc code) {
    return {.answer = no_answer(code)};
}

template <class T> Result<T> error_of(Errc code) {
    return fail(code, "ordered by a crash point");
}

} // namespace

asio::awaitable<domain::Answer> SteppedGithub::dispatch(ports::DispatchCall call) {
    auto work = [this, call = std::move(call)]() mutable {
        return inner_.dispatch(std::move(call));
    };
    return step_through<domain::Answer>(life_, kGithubDispatch, std::move(work), no_answer);
}

asio::awaitable<Result<std::optional<ports::FileVersion>>>
SteppedGithub::read_file(ports::FileQuery query) {
    using Value = std::optional<ports::FileVersion>;
    auto work = [this, query = std::move(query)]() mutable {
        return inner_.read_file(std::move(query));
    };
    return step_through<Result<Value>>(life_, kGithubReadFile, std::move(work), error_of<Value>);
}

asio::awaitable<Result<domain::Permission>> SteppedGithub::permission(ports::PermissionQuery query
) {
    using Value = domain::Permission;
    auto work = [this, query = std::move(query)]() mutable {
        return inner_.permission(std::move(query));
    };
    return step_through<Result<Value>>(life_, kGithubPermission, std::move(work), error_of<Value>);
}

asio::awaitable<Result<ports::HookPage>> SteppedGithub::hook_log(std::string cursor) {
    using Value = ports::HookPage;
    auto work = [this, cursor = std::move(cursor)]() mutable {
        return inner_.hook_log(std::move(cursor));
    };
    return step_through<Result<Value>>(life_, kGithubHookLog, std::move(work), error_of<Value>);
}

asio::awaitable<Result<void>> SteppedGithub::ask_again(std::int64_t try_id) {
    auto work = [this, try_id] { return inner_.ask_again(try_id); };
    return step_through<Result<void>>(life_, kGithubAskAgain, std::move(work), error_of<void>);
}

asio::awaitable<Result<ports::PullsPage>> SteppedGithub::open_pulls(ports::PullsQuery query) {
    using Value = ports::PullsPage;
    auto work = [this, query = std::move(query)]() mutable {
        return inner_.open_pulls(std::move(query));
    };
    return step_through<Result<Value>>(life_, kGithubOpenPulls, std::move(work), error_of<Value>);
}

asio::awaitable<Result<ports::PullView>> SteppedGithub::pull(RepoName repo, PrNumber number) {
    using Value = ports::PullView;
    auto work = [this, repo = std::move(repo), number]() mutable {
        return inner_.pull(std::move(repo), number);
    };
    return step_through<Result<Value>>(life_, kGithubPull, std::move(work), error_of<Value>);
}

asio::awaitable<Result<domain::ImmutableIds>> SteppedGithub::repository_ids(RepoName repo) {
    using Value = domain::ImmutableIds;
    auto work = [this, repo = std::move(repo)]() mutable {
        return inner_.repository_ids(std::move(repo));
    };
    return step_through<
        Result<Value>>(life_, kGithubRepositoryIds, std::move(work), error_of<Value>);
}

asio::awaitable<Result<HeadSha>> SteppedGithub::head_of(RepoName repo, std::string ref) {
    using Value = HeadSha;
    auto work = [this, repo = std::move(repo), ref = std::move(ref)]() mutable {
        return inner_.head_of(std::move(repo), std::move(ref));
    };
    return step_through<Result<Value>>(life_, kGithubHeadOf, std::move(work), error_of<Value>);
}

asio::awaitable<Result<bool>> SteppedGithub::has_commit(RepoName repo, HeadSha sha) {
    auto work = [this, repo = std::move(repo), sha = std::move(sha)]() mutable {
        return inner_.has_commit(std::move(repo), std::move(sha));
    };
    return step_through<Result<bool>>(life_, kGithubHasCommit, std::move(work), error_of<bool>);
}

asio::awaitable<ports::Posted> SteppedGithub::post_check(ports::CheckCall call) {
    auto work = [this, call = std::move(call)]() mutable {
        return inner_.post_check(std::move(call));
    };
    return step_through<ports::Posted>(life_, kGithubPostCheck, std::move(work), not_posted);
}

asio::awaitable<ports::Posted> SteppedGithub::post_comment(ports::CommentCall call) {
    auto work = [this, call = std::move(call)]() mutable {
        return inner_.post_comment(std::move(call));
    };
    return step_through<ports::Posted>(life_, kGithubPostComment, std::move(work), not_posted);
}

asio::awaitable<Result<std::optional<std::int64_t>>>
SteppedGithub::find_check(ports::CheckQuery query) {
    using Value = std::optional<std::int64_t>;
    auto work = [this, query = std::move(query)]() mutable {
        return inner_.find_check(std::move(query));
    };
    return step_through<Result<Value>>(life_, kGithubFindCheck, std::move(work), error_of<Value>);
}

asio::awaitable<Result<std::optional<std::int64_t>>>
SteppedGithub::find_comment(ports::CommentQuery query) {
    using Value = std::optional<std::int64_t>;
    auto work = [this, query = std::move(query)]() mutable {
        return inner_.find_comment(std::move(query));
    };
    return step_through<Result<Value>>(life_, kGithubFindComment, std::move(work), error_of<Value>);
}

asio::awaitable<Result<ports::RerunAnswer>> SteppedGithub::rerun(ports::RerunCall call) {
    using Value = ports::RerunAnswer;
    auto work = [this, call = std::move(call)]() mutable { return inner_.rerun(std::move(call)); };
    return step_through<Result<Value>>(life_, kGithubRerun, std::move(work), error_of<Value>);
}

asio::awaitable<Result<void>> SteppedGithub::check_access() {
    auto work = [this] { return inner_.check_access(); };
    return step_through<Result<void>>(life_, kGithubCheckAccess, std::move(work), error_of<void>);
}

} // namespace baton::sim
