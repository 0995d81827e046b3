#pragma once

#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/text_source.hpp"
#include "baton/relay/relay.hpp"
#include "baton/sim/actions_runs.hpp"
#include "baton/sim/crash_points.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/in_process_github.hpp"
#include "baton/sim/report.hpp"
#include "baton/sim/seeded_chance.hpp"
#include "baton/sim/stepped_github.hpp"
#include "baton/sim/stepped_store.hpp"
#include "baton/sim/virtual_clock.hpp"
#include "baton/store/memory/memory_store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
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
    double lost_webhook{0};  // a webhook does not arrive; GitHub's log says so, and nobody else
    double duplicate{0};     // a webhook is delivered twice
    double late{0};          // a webhook is held back and overtaken by others
    double clock_jump{0};    // before an action: the relay's clock is set forward or back
    Millis slow{0};          // how long one downstream takes to answer
    bool dead{false};        // another never answers, until the end of the story
    std::int64_t quota{0};   // requests an hour of each account; 0: plenty
    double lost_callback{0}; // a report does not reach the relay
    double lost_answer{0};   // it does, and the answer is lost
    bool callbacks{false};   // downstreams report by script
    double check_trouble{0}; // a call about a check is answered 5xx, throttled, or not at all
    std::optional<sim::Script> script{}; // all of them play this one; else each draws its own
    Millis rerun_after{std::chrono::hours{2}};
    std::uint64_t failing_store_call{0};  // the one of this number fails; 0: none
    std::uint64_t failing_github_call{0}; // is lost before it leaves

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
    /// Lets everything come to rest; at most `hours` of virtual time.
    void settle(int hours);
    /// Nobody is there for a while: webhooks meet a closed door.
    void away(Millis how_long, int actions);
    /// Troubles of the network end; what they did stays.
    void heal();

    // --- one person does one thing
    PrNumber open(const std::string& author);
    void push_to_main();

    /// From now on this downstream plays that; in a world with callbacks.
    void cast(const std::string& downstream, sim::Script script);

    sim::Faults& faults() { return faults_; }

    ports::Store& store() { return store_; }

    void pass(Millis how_long);

    // --- what the checkers look at
    const std::set<DeliveryId>& accepted() const { return accepted_; } // got a 2xx, or is stored

    /// Webhooks that GitHub sent and that are not in the store. One that is there although its
    /// answer was lost with a crash counts as accepted from now on.
    std::vector<DeliveryId> undelivered();
    /// Of those: which the relay may give up on.
    bool is_given_up(const DeliveryId& id);

    const Swarm& swarm() const { return swarm_; }

    /// Requests to GitHub that left while a limit lasted, in all lives.
    std::size_t requests_while_limited() const { return requests_while_limited_; }

    /// Times a spent quota was run into.
    std::size_t limit_answers() const { return limit_answers_; }

    std::size_t lives() const { return lives_; }

    /// Calls that this life made about checks.
    std::size_t check_calls() const;
    /// Why the gate does not wait for a downstream; none: it does.
    std::optional<domain::GateSuspension> suspension_of(const std::string& downstream);

    /// Every order to run something again for a commit of a pull request.
    std::vector<domain::Rerun> reruns_on(const HeadSha& head, PrNumber number);

    std::uint64_t store_calls() const { return store_calls_; }

    std::uint64_t github_calls() const { return github_calls_; }

    ports::DeliveryHistory history(const DeliveryId& id);
    ports::Counts counts();
    std::size_t count_of(domain::DispatchState state);
    std::optional<domain::PullRequest> pull_request(PrNumber number);
    /// Whether a downstream got a dispatch for this commit.
    bool was_told(const std::string& downstream, const HeadSha& head);

    const domain::Allowlist& allowlist() const { return allowlist_; }

    sim::GithubModel& github() { return github_model_; }

    std::vector<ports::SigningKey> signing_keys();

    const sim::Webhook& webhook(const DeliveryId& id) const {
        return *github_model_.hooks().webhook(id);
    }

    std::size_t crashes() const { return crashes_; }

    TimePoint now() const { return clock_.now(); }

    /// A report that the relay answered, whether or not the answer got through.
    struct Told {
        sim::Report report; // without what it echoed
        std::string delivery;
        sim::ReportAnswer answer;
    };

    const std::vector<Told>& told() const { return told_; }

    const sim::DownstreamBook& downstreams() const { return downstreams_; }

    /// Jobs that were seen to move back, each a sentence.
    const std::vector<std::string>& steps_back() const { return steps_back_; }

    std::vector<domain::Job> jobs_of(const DeliveryId& delivery, const RepoName& downstream);

    /// One line per thing that happened, for comparing two runs.
    std::string chronicle();

private:
    struct Life; // one incarnation of the relay

    class ListedText final : public ports::TextSource {
    public:
        explicit ListedText(std::string text)
            : text_(std::move(text)) {}

        boost::asio::awaitable<Result<std::optional<ports::TextVersion>>> fetch(std::string mark
        ) override;

        std::string describe() const override { return "text"; }

    private:
        std::string text_;
    };

    /// A webhook on its way.
    struct Letter {
        std::shared_ptr<const sim::Webhook> webhook;
        bool redelivery{false};
    };

    bool chance(double probability);
    void make_trouble();
    void trouble_checks();
    void act_once();
    void send(const sim::Webhook& webhook);
    void post(Letter letter, Millis later);
    boost::asio::awaitable<void> carry(Letter letter, TimePoint when);
    boost::asio::awaitable<void> hand_over(Letter letter);
    void log_try(const Letter& letter, int status);
    void post_redeliveries();

    // --- the downstreams (world_downstreams.cpp)
    void cast_downstreams();
    void report_nightlies();
    boost::asio::awaitable<void> play_downstreams();
    void call_back(sim::Report report);
    boost::asio::awaitable<void> hear_out(sim::Report report);
    void hang_up();
    void look_for_steps_back(const sim::Report& report);

    TimePoint github_time() const { return clock_.now() - drift_; }

    sim::Step::Order at_step(std::string_view point);
    void born();
    void buried();
    void run(TimePoint until, const std::function<bool()>& done);
    bool quiet();

    const Swarm swarm_;
    bool healed_{false};
    boost::asio::io_context io_;
    sim::VirtualClock clock_;
    sim::SeededChance people_;
    sim::SeededChance steps_;
    sim::SeededChance network_;
    sim::SeededChance relay_chance_;
    sim::SeededChance callback_chance_;
    sim::GithubModel github_model_;
    sim::ActionsRuns runs_;
    sim::DownstreamBook downstreams_;
    sim::Faults faults_;
    store::MemoryStore store_;
    MemoryJournal journal_;
    ListedText source_;
    domain::Allowlist allowlist_;
    async::TaskGroup undertaker_{io_.get_executor(), [](const std::string&) {}};
    std::unique_ptr<Life> life_;
    async::TaskGroup post_office_{io_.get_executor(), [](const std::string&) {}};
    std::map<DeliveryId, std::shared_ptr<const sim::Webhook>> undelivered_; // no 2xx yet
    std::multimap<DeliveryId, Letter> at_the_door_; // being handed over to this life
    std::unique_ptr<ports::Bell> downstream_bell_{clock_.make_bell()};
    std::map<std::int64_t, sim::Report> calling_back_; // in the hands of this life
    std::vector<Told> told_;
    std::map<JobId, domain::Job> jobs_seen_;
    std::vector<std::string> steps_back_;
    Millis drift_{0}; // how far the relay's clock is off GitHub's
    std::size_t requests_while_limited_{0};
    std::size_t limit_answers_{0};
    std::set<DeliveryId> accepted_;
    std::size_t crashes_{0};
    std::size_t lives_{0};
    std::uint64_t store_calls_{0};
    std::uint64_t github_calls_{0};
    std::vector<PrNumber> pulls_;
};

} // namespace baton::test
