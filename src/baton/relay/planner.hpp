#pragma once

#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/checks.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/relay/rights_book.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace baton::relay {

/// Turns accepted deliveries into dispatches, in order of arrival within one pull request. A
/// delivery leaves the "to plan" list in the same transaction that creates its dispatches, so a
/// crash plans it again and the store keeps each dispatch once. Lives on the relay's executor.
class Planner {
public:
    struct Settings {
        std::map<RepoName, domain::CheckRules> rules; // of each upstream
        std::int64_t app_id{0}; // ours: re-runs of other Apps' checks are none of our business
    };

    struct Surroundings {
        boost::asio::any_io_executor executor;
        ports::Store& store;
        ports::Github& github;
        ports::Clock& clock;
        ports::Journal& journal;
        const AllowlistBook& book;
        std::function<void(const domain::Event&)> on_event; // each event once it is planned
        std::function<void()> on_planned;                   // wakes the dispatcher
    };

    Planner(Settings settings, Surroundings around);

    void wake(); // any thread
    /// Plans for ever, until cancelled.
    boost::asio::awaitable<void> run();
    /// Cancels what is being planned side by side; `run` is cancelled by its owner and then joins
    /// it.
    void cancel();

private:
    boost::asio::awaitable<bool> plan_due(); // true: more is waiting already
    boost::asio::awaitable<void> plan_in_order(std::vector<ports::DeliveryToPlan> deliveries);
    boost::asio::awaitable<bool> plan_one(ports::DeliveryToPlan waiting);
    boost::asio::awaitable<Result<ports::PlanCommit>>
    decide(domain::Event event, TimePoint received_at);
    boost::asio::awaitable<Result<std::optional<PrNumber>>>
    pull_request_at(RepoName upstream, HeadSha head);
    boost::asio::awaitable<Result<std::optional<domain::PullRequest>>> known_of(domain::Event event
    );

    void trouble(Error error);

    Settings settings_;
    Surroundings around_;
    RightsBook rights_;
    std::size_t settled_{0};                      // of the batch being planned
    std::vector<domain::Suspension> suspensions_; // as of the batch being planned
    std::unique_ptr<ports::Bell> bell_;
    async::TaskGroup side_by_side_;
};

} // namespace baton::relay
