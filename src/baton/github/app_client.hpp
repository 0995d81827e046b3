#pragma once

#include "baton/async/single_flight.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/quota.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/answer.hpp"
#include "baton/github/credentials.hpp"
#include "baton/github/etag_cache.hpp"
#include "baton/github/rest.hpp"
#include "baton/github/token_cache.hpp"
#include "baton/net/client.hpp"
#include "baton/net/url.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/github_writing.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace baton::github {

struct RestGithubOptions {
    std::string api_url; // https://api.github.com
    std::string ca_file; // an extra trust anchor; empty: the system's
    std::chrono::milliseconds wait{limits::kGithubCallWait};
    std::int64_t pace{0};                  // points a minute; 0: only what GitHub announces
    std::function<TimePoint()> calendar{}; // GitHub's time, as far as we know; none: the clock's
};

/// GitHub over its REST API, as an App. In steady state a dispatch is one request. Every verb runs
/// on `executor` (one thread) and ends within `wait`, whatever it has to fetch first. Errors and
/// answers never contain a token.
class RestGithub : public ports::Github, public ports::GithubWriting {
public:
    /// How long check_access believes what it heard.
    static constexpr std::chrono::seconds kAccessLife{60};
    static constexpr std::chrono::seconds kNoAccessLife{5};
    /// How many pages of a pull request's comments are looked through, oldest first.
    static constexpr int kCommentPagesMax = 10;

    /// `invalid` when api_url is no URL that Baton may talk to. `clock` outlives the object.
    static Result<std::unique_ptr<RestGithub>> make(
        boost::asio::any_io_executor executor,
        RestGithubOptions options,
        AppIdentity identity,
        const ports::Clock& clock
    );

    /// A reload brought another key; what is under way goes on with what it has.
    void use(AppIdentity identity) { credentials_.use(std::move(identity)); }

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

    const domain::QuotaBook& quotas() const override { return rest_.quotas(); }

    void hear(const domain::OthersQuotas& others, TimePoint now) override {
        rest_.hear(others, now);
    }

    boost::asio::awaitable<Result<ports::Blob>> read_blob(ports::BlobQuery query) override;
    boost::asio::awaitable<Result<std::optional<ports::PullPlace>>> find_pull(ports::PullFrom query
    ) override;
    boost::asio::awaitable<Result<void>> make_branch(ports::NewBranch branch) override;
    boost::asio::awaitable<Result<void>> write_blob(ports::NewBlob blob) override;
    boost::asio::awaitable<Result<ports::PullPlace>> propose_pull(ports::PullDraft draft) override;
    boost::asio::awaitable<Result<bool>> has_issue_comment(ports::IssueCommentQuery query) override;
    boost::asio::awaitable<Result<void>> post_issue_comment(ports::IssueComment comment) override;

private:
    struct Access {
        domain::Answer answer; // accepted: the credentials work
        TimePoint until{};
    };

    RestGithub(
        std::unique_ptr<net::Client> client,
        net::Url api,
        AppIdentity identity,
        const ports::Clock& clock,
        const RestGithubOptions& options
    );

    boost::asio::awaitable<tl::expected<RestReply, domain::Answer>>
    send(RestCall call, Grant grant, Budget budget);
    /// A read that is joined with others like it, and costs nothing while its answer stays the
    /// same.
    boost::asio::awaitable<tl::expected<RestReply, domain::Answer>>
    read(RestCall call, Grant grant, Budget budget);
    boost::asio::awaitable<tl::expected<RestReply, domain::Answer>>
    read_afresh(RestCall call, Grant grant, Budget budget);
    boost::asio::awaitable<domain::Answer> ask_app(Budget budget);
    /// nullopt: GitHub says that there is none.
    boost::asio::awaitable<Result<std::optional<HeadSha>>>
    commit_named(RepoName repo, std::string ref);
    /// A call that creates something, or changes what has the number `id` already.
    boost::asio::awaitable<ports::Posted>
    post(RestCall call, Grant grant, Ask ask, std::optional<std::int64_t> id);
    /// A call whose answer is JSON.
    boost::asio::awaitable<Result<boost::json::value>>
    read_json(RestCall call, Grant grant, Ask ask);

    std::unique_ptr<net::Client> client_;
    const ports::Clock* clock_;
    std::chrono::milliseconds wait_;
    Rest rest_;
    Credentials credentials_;
    async::SingleFlight<domain::Answer> app_asks_;
    async::SingleFlight<tl::expected<RestReply, domain::Answer>> reads_;
    EtagCache etags_;
    std::optional<Access> access_;
};

} // namespace baton::github
