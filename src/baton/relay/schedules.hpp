#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/cron.hpp"
#include "baton/domain/schedule.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_book.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::relay {

/// Fires the schedules that allowlists give their downstreams. What to test is asked when it is
/// due; delivery, dispatch and the schedule's mark are one transaction, so a crash neither loses a
/// nightly nor sends two. After a downtime the newest is caught up, the others are missed. Relay's
/// executor.
class Schedules {
public:
    struct Settings {
        std::vector<RepoName> upstreams;
    };

    struct Surroundings {
        ports::Store& store;
        ports::Github& github;
        ports::Clock& clock;
        ports::Journal& journal;
        const AllowlistBook& book;
        std::function<void()> on_fired;                   // wakes the dispatcher
        std::function<bool()> leads{[] { return true; }}; // whether this is ours to do
    };

    Schedules(Settings settings, Surroundings around);

    /// Once, when the lists of the last run are recalled and before newer ones are read: what these
    /// ask for went on while no relay ran.
    void begin();

    void wake(); // any thread: a list changed
    boost::asio::awaitable<void> run();

    /// Deals with all that is due; returns when to look again.
    boost::asio::awaitable<Result<TimePoint>> round();

private:
    using Pair = std::pair<RepoName, RepoName>; // upstream, downstream

    struct Schedule {
        RepoName upstream;
        domain::Downstream downstream;
        domain::Cron cron;
    };

    /// Why the one that is due now is not sent yet.
    struct Hindrance {
        TimePoint due{};
        std::string reason;
    };

    /// What one round learns once.
    struct Round {
        TimePoint now{};
        std::map<Pair, TimePoint> marks;
        std::vector<domain::Suspension> suspensions;
        std::map<RepoName, Result<HeadSha>> heads;
        TimePoint next{};
    };

    std::vector<Schedule> schedules() const;
    void forget_all_but(const std::vector<Schedule>& schedules);
    boost::asio::awaitable<Result<void>> turn(Schedule schedule, std::shared_ptr<Round> round);
    boost::asio::awaitable<Result<void>>
    miss(Schedule schedule, domain::ScheduleTurn turn, TimePoint now);
    boost::asio::awaitable<Result<void>>
    excuse(Schedule schedule, TimePoint until, std::string reason);
    boost::asio::awaitable<Result<void>>
    fire(Schedule schedule, TimePoint due, std::shared_ptr<Round> round);
    boost::asio::awaitable<Result<HeadSha>>
    head_of(RepoName upstream, std::shared_ptr<Round> round);
    void hinder(const Schedule& schedule, TimePoint due, const Error& error);
    void trouble(std::string detail);

    Settings settings_;
    Surroundings around_;
    std::unique_ptr<ports::Bell> bell_;
    std::map<Pair, std::string> seen_; // the cron texts that are in force
    std::map<Pair, Hindrance> hindered_;
};

} // namespace baton::relay
