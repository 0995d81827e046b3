#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/chance.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_model.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
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
    boost::asio::awaitable<Result<void>> check_access() override;

    /// Requests begun, by route.
    const std::map<std::string, std::size_t>& requests() const { return requests_; }

private:
    struct Trip {
        Fault fault;
        TimePoint give_up_at{};
        Millis way_back{0};
    };

    boost::asio::awaitable<Trip> set_out(std::string route, std::optional<RepoName> repo);
    /// Returns when the caller hears something. True: in time.
    boost::asio::awaitable<bool> come_back(Trip trip);

    const Repo* reach(const RepoName& name) const;
    domain::Answer perform(const ports::DispatchCall& call);
    Result<std::optional<ports::FileVersion>> look(const ports::FileQuery& query) const;

    GithubModel& model_;
    Faults& faults_;
    ports::Clock& clock_;
    ports::Chance& chance_;
    Options options_;
    std::map<std::string, std::size_t> requests_;
};

} // namespace baton::sim
