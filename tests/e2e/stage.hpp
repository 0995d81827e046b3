#pragma once

#include "baton/app/system_clock.hpp"
#include "baton/base/ids.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/net/client.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_server.hpp"

#include <boost/asio/io_context.hpp>

#include <atomic>
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

#include "support/postgres_place.hpp"
#include "support/process.hpp"

namespace baton::test {

/// Everything around a real `baton serve`: a simulated GitHub that outlives it, a folder with its
/// configuration and store, and hands that start it, kill it and send it webhooks.
class Stage {
public:
    struct Plan {
        std::string allowlist;
        bool allowlist_on_github{false};
        bool callbacks{false};   // the simulator's tokens are believed
        std::string more_config; // YAML lines appended to the file
        std::string more_github; // lines of its part about GitHub, indented
        std::uint64_t seed{1};
    };

    explicit Stage(Plan plan);
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    /// Starts the relay and waits for its address; false when it ended or said nothing in time.
    /// `environment` is NAME=value, added to ours.
    bool start(
        const std::vector<std::string>& more_arguments = {},
        const std::vector<std::string>& environment = {}
    );

    /// The same, and waits until it has read its allowlist and knows GitHub's keys.
    bool start_ready(const std::vector<std::string>& more_arguments = {});

    Process& relay() { return *relay_; }

    /// kill -9, and the process is gone when this returns.
    void pull_the_plug();
    /// SIGTERM; how it ended, or nullopt after 15 seconds.
    std::optional<Ending> ask_to_stop();

    /// Downstreams play this from now on and report to the relay, which has to keep its port.
    void play(const std::string& repo, sim::Part part);
    /// What downstreams have said so far, and whether anything is still to be said.
    std::vector<sim::SentReport> reports();
    bool is_all_said();

    sim::Webhook opened_pull(); // a new pull request, so that nothing supersedes it
    sim::Webhook pushed();
    sim::Webhook acted(PrNumber number, sim::PullVerb verb);
    sim::Webhook labelled(PrNumber number, const std::string& by, const std::string& label);

    /// The upstream's allowlist, in its repository, from now on.
    void replace_allowlist(const std::string& text);

    /// Sends a webhook once, signed; the status, or 0 without an answer. `port`: of another
    /// replica.
    int post(const sim::Webhook& webhook);
    static int post(const sim::Webhook& webhook, std::uint16_t port);
    int get(const std::string& path, std::string* body = nullptr);
    static int get(const std::string& path, std::uint16_t port, std::string* body);

    sim::SimServer& github() { return github_; }

    const TemporaryFolder& folder() const { return folder_; }

    /// A file in the folder, or a database of its own where a server is at hand.
    std::string store_place() const;

    /// The latter; null without a server.
    const PostgresPlace* database() const { return database_.get(); }

    std::string config_file() const { return folder_.file("baton.yml"); }

    std::string log() const { return slurp(folder_.file("stderr")); }

    std::size_t received(const std::string& repo, const DeliveryId& delivery);
    std::size_t received_in_all();

    /// Looks into the store as a tool does, beside a running relay or without one.
    void with_store(const std::function<void(ports::Store&, boost::asio::io_context&)>& look);
    ports::Counts counts();

    std::uint16_t port() const { return port_; }

    /// Where the relay that was started last takes webhooks.
    std::string webhook_url() const;
    std::string callback_url() const;

    static constexpr const char* kUpstream = "up/stream";
    static constexpr const char* kSecret = "a webhook secret";

private:
    boost::asio::io_context clock_loop_;
    app::SystemClock clock_;
    TemporaryFolder folder_;
    std::unique_ptr<PostgresPlace> database_; // none: the store is a file
    crypto::RsaKeyPair key_;
    sim::SimServer github_;
    std::atomic<std::uint16_t> port_{0}; // a sender reads it while the relay is started anew
    std::unique_ptr<Process> relay_;
    std::uint64_t pushes_{0};
};

/// Looks again until `holds` or the time is spent; tells whether it came to hold.
bool eventually(const std::function<bool()>& holds, std::chrono::milliseconds within);

/// Real processes live on for so long.
void let_pass(std::chrono::milliseconds time);

/// How much of something: what the variable says, for longer campaigns (./dev chaos).
std::size_t times(const char* variable, std::size_t otherwise);

} // namespace baton::test
