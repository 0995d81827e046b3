#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/plan.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

namespace baton::relay {

/// People's rights on upstream repositories, asked from GitHub and remembered for a while. Relay's
/// executor only.
class RightsBook {
public:
    static constexpr std::chrono::minutes kRemembered{5};
    static constexpr std::size_t kPeopleMax = 10'000;

    RightsBook(ports::Github& github, ports::Clock& clock)
        : github_(github)
        , clock_(clock) {}

    /// What is known or can be learnt now; whoever cannot be asked is missing from the answer.
    boost::asio::awaitable<domain::Rights> rights_of(RepoName upstream, std::set<Login> people);

private:
    struct Memory {
        domain::Permission permission;
        TimePoint until;
    };

    ports::Github& github_;
    ports::Clock& clock_;
    std::map<std::pair<RepoName, Login>, Memory> remembered_;
};

} // namespace baton::relay
