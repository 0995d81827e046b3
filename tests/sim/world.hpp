#pragma once

#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/allowlist_source.hpp"
#include "baton/relay/relay.hpp"
#include "baton/sim/crash_points.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/in_process_github.hpp"
#include "baton/sim/seeded_chance.hpp"
#include "baton/sim/stepped_github.hpp"
#include "baton/sim/stepped_store.hpp"
#include "baton/sim/virtual_clock.hpp"
#include "baton/store/memory/memory_store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/memory_journal.hpp"

namespace baton::test {

/// How badly the world behaves, each as a chance per occasion.
struct Swarm {
    double crash{0};         // at each step of each call: the relay dies there
    double store_failure{0}; // a store call answers `unavailable` and does nothing
    double lost_reply{0};    // GitHub acts, the answer is lost
    double server_error{0};  // GitHub answers 5xx and does nothing
    double throttled{0};     // a secondary limit
    double duplicate{0};     // a webhook is delivered twice
    double late{0};          // a webhook is held back and overtaken by others

    /// Each seed has some troubles and lacks others, so that rare combinations come up.
    static Swarm drawn(std::uint64_t seed);
};

/// The whole relay, GitHub and the store in one thread under a virtual clock. Equal seeds give
/// equal histories.
class World {
public:
    World(std::uint64_t seed, Swarm swarm);
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    ~World();

    /// People open, push, label, close and reopen for a while; their webhooks go out.
    void live(int actions);
    /// Lets everything come to rest, with faults switched off or not; at most `hours` of virtual
    /// time.
    void settle(int hours);

    // --- what the checkers look at
    const std::set<DeliveryId>& accepted() const { return accepted_; } // got a 2xx

    ports::DeliveryHistory history(const DeliveryId& id);
    ports::Counts counts();

    const domain::Allowlist& allowlist() const { return allowlist_; }

    sim::GithubModel& github() { return github_model_; }

    std::vector<ports::SigningKey> signing_keys();

    const sim::Webhook& webhook(const DeliveryId& id) const {
        return *github_model_.hooks().webhook(id);
    }

    std::size_t crashes() const { return crashes_; }

    TimePoint now() const { return clock_.now(); }

    /// One line per thing that happened, for comparing two runs.
    std::string chronicle();

private:
    struct Life; // one incarnation of the relay

    class ListedText final : public ports::AllowlistSource {
    public:
        explicit ListedText(std::string text)
            : text_(std::move(text)) {}

        boost::asio::awaitable<Result<std::optional<ports::AllowlistText>>> fetch(std::string mark
        ) override;

        std::string describe() const override { return "text"; }

    private:
        std::string text_;
    };

    bool chance(double probability);
    void act_once();
    void send(const sim::Webhook& webhook);
    boost::asio::awaitable<void>
    deliver(std::shared_ptr<const sim::Webhook> webhook, TimePoint when);
    sim::Step::Order at_step(std::string_view point);
    void born();
    void buried();
    void run(TimePoint until, const std::function<bool()>& done);
    bool quiet();

    Swarm swarm_;
    boost::asio::io_context io_;
    sim::VirtualClock clock_;
    sim::SeededChance people_;
    sim::SeededChance steps_;
    sim::SeededChance network_;
    sim::SeededChance relay_chance_;
    sim::GithubModel github_model_;
    sim::Faults faults_;
    store::MemoryStore store_;
    MemoryJournal journal_;
    ListedText source_;
    domain::Allowlist allowlist_;
    async::TaskGroup undertaker_{io_.get_executor(), [](const std::string&) {}};
    std::unique_ptr<Life> life_;
    std::map<DeliveryId, std::shared_ptr<const sim::Webhook>> undelivered_; // no 2xx yet
    std::set<DeliveryId> accepted_;
    std::size_t crashes_{0};
    std::size_t lives_{0};
    std::vector<PrNumber> pulls_;
};

} // namespace baton::test
