#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/quota.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/github.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace baton::relay {

/// A Github that reads and never acts: a relay over it verifies, decides and records everything
/// while another one does the work. A dispatch, a check and a comment are answered `withheld`, and
/// a redelivery and a re-run are refused, without a call. `inner` outlives it.
class ShadowGithub final : public ports::Github {
public:
    explicit ShadowGithub(ports::Github& inner)
        : inner_(inner) {}

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
};

} // namespace baton::relay
