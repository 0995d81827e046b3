#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/quota.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/chance.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/post.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace baton::sim {

/// The Github port straight over the model, under virtual time: no HTTP, no tokens. Routes are
/// named as in GithubApi, so that one set of faults serves both. One thread; all collaborators
/// outlive it.
///
/// A call takes some latency there, has its effect, and takes the rest of the latency and any delay
/// back. So a relay that dies on the way may or may not have had the effect, and a call that times
/// out has had it.
class InProcessGithub final : public ports::Github {
public:
    struct Options {
        Millis latency_min{10};
        Millis latency_max{80};
        Millis call_wait{limits::kGithubCallWait};
    };

    InProcessGithub(GithubModel& model, Faults& faults, ports::Clock& clock, ports::Chance& chance);
    InProcessGithub(
        GithubModel& model,
        Faults& faults,
        ports::Clock& clock,
        ports::Chance& chance,
        Options options
    );

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

    const domain::QuotaBook& quotas() const override { return quotas_; }

    void hear(const domain::OthersQuotas& others, TimePoint now) override {
        quotas_.hear(others, now);
    }

    /// Requests begun, by route.
    const std::map<std::string, std::size_t>& requests() const { return requests_; }

    /// Requests that left although a limit had been announced to us: there must be none.
    std::size_t requests_while_limited() const { return requests_while_limited_; }

    /// Times a spent quota was run into.
    std::size_t limit_answers() const { return limit_answers_; }

private:
    struct Trip {
        Fault fault;
        std::string account;
        TimePoint give_up_at{};
        Millis way_back{0};
        std::optional<TimePoint> held_until; // it did not leave
        domain::QuotaNews news;              // what its answer will tell

        bool has_effect() const {
            return !held_until && !news.held_until && fault.perform &&
                   fault.ending != Fault::Ending::unreachable;
        }
    };

    /// Returns when the request has arrived there.
    boost::asio::awaitable<Trip> set_out(std::string route, std::optional<RepoName> repo);
    /// Returns when the caller hears something: nullopt is the truth, else what it hears instead.
    boost::asio::awaitable<std::optional<domain::Answer>> come_back(Trip trip);
    /// What a question that only reads hears instead of the truth.
    static tl::unexpected<Error> error_of(const domain::Answer& answer);
    /// The installation's quota, as GitHub counts it.
    domain::QuotaNews spend(const RepoName& repo);
    void learn(const Trip& trip, const std::optional<domain::Answer>& heard);

    const Repo* reach(const RepoName& name) const;
    ports::PullView view_of(const Repo& repo, const Pull& pull) const;
    domain::Answer perform(const ports::DispatchCall& call);
    PostReply perform(const ports::CheckCall& call);
    PostReply perform(const ports::CommentCall& call);
    PostReply perform(const ports::RerunCall& call);
    /// What a post came to: the truth, unless something else was heard.
    static ports::Posted posted(const PostReply& truth, std::optional<domain::Answer> heard);
    Result<std::optional<ports::FileVersion>> look(const ports::FileQuery& query) const;

    GithubModel& model_;
    Faults& faults_;
    ports::Clock& clock_;
    ports::Chance& chance_;
    Options options_;
    domain::QuotaBook quotas_;
    std::map<std::string, std::size_t> requests_;
    std::map<std::string, TimePoint> announced_; // limits that we were told of, by account
    std::size_t requests_while_limited_{0};
    std::size_t limit_answers_{0};
};

} // namespace baton::sim
