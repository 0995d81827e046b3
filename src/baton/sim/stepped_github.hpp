#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/quota.hpp"
#include "baton/ports/github.hpp"
#include "baton/sim/crash_points.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace baton::sim {

inline constexpr VerbPoints kGithubDispatch{
    .before = "github.dispatch.before", .after = "github.dispatch.after"
};
inline constexpr VerbPoints kGithubReadFile{
    .before = "github.read_file.before", .after = "github.read_file.after"
};
inline constexpr VerbPoints kGithubPermission{
    .before = "github.permission.before", .after = "github.permission.after"
};
inline constexpr VerbPoints kGithubHookLog{
    .before = "github.hook_log.before", .after = "github.hook_log.after"
};
inline constexpr VerbPoints kGithubAskAgain{
    .before = "github.ask_again.before", .after = "github.ask_again.after"
};
inline constexpr VerbPoints kGithubOpenPulls{
    .before = "github.open_pulls.before", .after = "github.open_pulls.after"
};
inline constexpr VerbPoints kGithubPull{
    .before = "github.pull.before", .after = "github.pull.after"
};
inline constexpr VerbPoints kGithubRepositoryIds{
    .before = "github.repository_ids.before", .after = "github.repository_ids.after"
};
inline constexpr VerbPoints kGithubHeadOf{
    .before = "github.head_of.before", .after = "github.head_of.after"
};
inline constexpr VerbPoints kGithubHasCommit{
    .before = "github.has_commit.before", .after = "github.has_commit.after"
};
inline constexpr VerbPoints kGithubPostCheck{
    .before = "github.post_check.before", .after = "github.post_check.after"
};
inline constexpr VerbPoints kGithubPostComment{
    .before = "github.post_comment.before", .after = "github.post_comment.after"
};
inline constexpr VerbPoints kGithubFindCheck{
    .before = "github.find_check.before", .after = "github.find_check.after"
};
inline constexpr VerbPoints kGithubFindComment{
    .before = "github.find_comment.before", .after = "github.find_comment.after"
};
inline constexpr VerbPoints kGithubRerun{
    .before = "github.rerun.before", .after = "github.rerun.after"
};
inline constexpr VerbPoints kGithubCheckAccess{
    .before = "github.check_access.before", .after = "github.check_access.after"
};

inline constexpr std::array kGithubVerbs{
    kGithubDispatch,
    kGithubReadFile,
    kGithubPermission,
    kGithubHookLog,
    kGithubAskAgain,
    kGithubOpenPulls,
    kGithubPull,
    kGithubRepositoryIds,
    kGithubHeadOf,
    kGithubHasCommit,
    kGithubPostCheck,
    kGithubPostComment,
    kGithubFindCheck,
    kGithubFindComment,
    kGithubRerun,
    kGithubCheckAccess,
};

/// A Github whose calls pass crash points. `inner` outlives it. A dispatch, a check or a comment
/// that is ordered to fail was `not_sent`.
class SteppedGithub final : public ports::Github {
public:
    SteppedGithub(ports::Github& inner, std::shared_ptr<Incarnation> life)
        : inner_(inner)
        , life_(std::move(life)) {}

    boost::asio::awaitable<domain::Answer> dispatch(ports::DispatchCall call) override;
    boost::asio::awaitable<Result<std::optional<ports::FileVersion>>>
    read_file(ports::FileQuery query) override;
    boost::asio::awaitable<Result<domain::Permission>> permission(ports::PermissionQuery query
    ) override;
    boost::asio::awaitable<Result<ports::HookPage>> hook_log(std::string cursor) override;
    boost::asio::awaitable<Result<void>> ask_again(std::int64_t try_id) override;
    boost::asio::awaitable<Result<ports::PullsPage>> open_pulls(ports::PullsQuery query) override;
    boost::asio::awaitable<Result<ports::PullView>> pull(RepoName repo, PrNumber number) override;
    boost::asio::awaitable<Result<domain::ImmutableIds>> repository_ids(RepoName repo) override;
    boost::asio::awaitable<Result<HeadSha>> head_of(RepoName repo, std::string ref) override;
    boost::asio::awaitable<Result<bool>> has_commit(RepoName repo, HeadSha sha) override;
    boost::asio::awaitable<ports::Posted> post_check(ports::CheckCall call) override;
    boost::asio::awaitable<ports::Posted> post_comment(ports::CommentCall call) override;
    boost::asio::awaitable<Result<std::optional<std::int64_t>>> find_check(ports::CheckQuery query
    ) override;
    boost::asio::awaitable<Result<std::optional<std::int64_t>>>
    find_comment(ports::CommentQuery query) override;
    boost::asio::awaitable<Result<ports::RerunAnswer>> rerun(ports::RerunCall call) override;
    boost::asio::awaitable<Result<void>> check_access() override;

    const domain::QuotaBook& quotas() const override { return inner_.quotas(); }

    void hear(const domain::OthersQuotas& others, TimePoint now) override {
        inner_.hear(others, now);
    }

private:
    ports::Github& inner_;
    std::shared_ptr<Incarnation> life_;
};

} // namespace baton::sim
