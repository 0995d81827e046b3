#pragma once

#include "baton/app/demo_account.hpp"
#include "baton/app/demo_checks.hpp"
#include "baton/app/demo_people.hpp"
#include "baton/app/demo_reader.hpp"
#include "baton/app/demo_scenes.hpp"
#include "baton/app/demo_trouble.hpp"
#include "baton/app/demo_view.hpp"
#include "baton/app/demo_watch.hpp"
#include "baton/app/service.hpp"
#include "baton/app/system_clock.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/run.hpp"
#include "baton/sim/dispatch_log.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/sim_server.hpp"

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace baton::app::demo {

/// Everything that plays: the simulated GitHub, the relay beside it, people and trouble. Only
/// opening, playing and closing; what is shown of it is for the caller. One thread.
class Stage {
public:
    struct Settings {
        std::string folder; // the caller's, and the caller's to remove
        std::string store;  // where it is
        std::uint64_t seed{1};
        std::uint16_t port{0};
    };

    /// The error is a sentence for people.
    static Result<std::unique_ptr<Stage>> open(const Settings& settings);
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;
    ~Stage(); // stops

    std::string address() const; // of the relay

    /// People and trouble do what is due.
    void play();
    /// Nobody does anything any more; webhooks that are held up are sent.
    void end_play();
    /// Whether something is still on its way that can arrive soon.
    bool is_busy();
    /// Whether a check or comment is not on GitHub yet, and was not wanted only just now.
    bool is_posting();
    Snapshot snapshot();
    /// Stops the relay, then GitHub.
    void stop();
    /// After `stop`.
    Result<Account> account();

private:
    explicit Stage(const Settings& settings);
    Result<void> start();
    Result<void> raise_github();
    Result<void> start_relay();
    void collect_deliveries();
    Result<CheckAccount> account_of_checks(const std::set<domain::Subject>& subjects);

    /// What is counted of each downstream, apart from what the relay's journal tells.
    struct Figures {
        std::map<RepoName, sim::DownstreamCount> received;
        std::map<RepoName, std::size_t> waiting;
        std::map<RepoName, sim::ReportCount> reports;
        std::map<RepoName, sim::Part> parts;
        std::set<RepoName> suspended;
    };

    DownstreamRow
    row_of(const domain::Downstream& downstream, const Seen& seen, const Figures& figures) const;

    Settings settings_;
    boost::asio::io_context idle_; // the clock wants one; nobody sleeps on it
    SystemClock clock_;
    TimePoint started_;
    std::vector<domain::Downstream> downstreams_;
    Watch watch_;
    People people_;
    Trouble trouble_;
    Scenes scenes_;
    std::ofstream log_;
    std::string private_key_; // the App's
    std::unique_ptr<sim::SimServer> github_;
    std::unique_ptr<Service> relay_;
    std::unique_ptr<Reader> reader_;
    std::map<DeliveryId, Delivered> delivered_;
    std::int64_t last_attempt_{0}; // collected so far
    TimePoint stopped_at_{};
};

} // namespace baton::app::demo
