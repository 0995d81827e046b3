#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/plan.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace baton::relay {

/// People's rights on upstream repositories, asked from GitHub and remembered for a while. Relay's
/// executor only.
class RightsBook {
public:
    static constexpr std::chrono::minutes kRemembered{5};
    static constexpr std::chrono::seconds kNotAskedAgain{30}; // after GitHub could not say
    static constexpr std::size_t kPeopleMax = 10'000;

    struct Surroundings {
        ports::Github& github;
        ports::Clock& clock;
        ports::Journal& journal;
    };

    explicit RightsBook(Surroundings around)
        : around_(around) {}

    /// What is known or can be learnt now; whoever cannot be asked is missing from the answer.
    boost::asio::awaitable<domain::Rights> rights_of(RepoName upstream, std::set<Login> people);

private:
    boost::asio::awaitable<void> ask(std::pair<RepoName, Login> whom);

    struct Memory {
        std::optional<domain::Permission> permission; // nullopt: GitHub could not say
        TimePoint until;
    };

    Surroundings around_;
    std::map<std::pair<RepoName, Login>, Memory> remembered_;
};

} // namespace baton::relay
