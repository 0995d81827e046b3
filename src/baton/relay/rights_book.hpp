#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/plan.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"

#include <boost/asio/awaitable.hpp>

#include <map>
#include <optional>
#include <set>
#include <utility>

namespace baton::relay {

/// People's rights on upstream repositories, asked from GitHub and remembered for a while. Relay's
/// executor only.
class RightsBook {
public:
    struct Surroundings {
        ports::Github& github;
        ports::Clock& clock;
        ports::Journal& journal;
    };

    explicit RightsBook(Surroundings around)
        : around_(around) {}

    /// What is known or can be learnt within limits::kRightsWait; whoever cannot be asked is
    /// missing from the answer. A GitHub that stays silent is not asked again for a while, so that
    /// a batch of deliveries waits once and not once per person.
    boost::asio::awaitable<domain::Rights> rights_of(RepoName upstream, std::set<Login> people);

private:
    using Whom = std::pair<RepoName, Login>;

    boost::asio::awaitable<void> ask(Whom whom, TimePoint until);
    bool is_known(const Whom& whom) const;

    struct Memory {
        std::optional<domain::Permission> permission; // nullopt: GitHub could not say
        TimePoint until;
    };

    Surroundings around_;
    std::map<Whom, Memory> remembered_;
    TimePoint silent_until_{}; // nobody is asked before
};

} // namespace baton::relay
