#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/retry.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/chance.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace baton::relay {

/// Carries out orders to run something again: through GitHub where it can, by a fresh dispatch
/// where GitHub will not (too old, deleted, never started, another CI). Relay's executor.
class Rerunner {
public:
    struct Settings {
        InstanceId instance;
        domain::RetryPolicy retry;
    };

    struct Surroundings {
        ports::Store& store;
        ports::Github& github;
        ports::Clock& clock;
        ports::Chance& chance;
        ports::Journal& journal;
        std::function<void()> on_dispatched; // wakes the dispatcher
    };

    Rerunner(Settings settings, Surroundings around);

    void wake(); // any thread
    boost::asio::awaitable<void> run();

private:
    /// What became of an order, in words that add up over several runs.
    struct Outcome {
        domain::RerunState state{domain::RerunState::refused};
        std::string detail;
        DeliveryId afresh; // to be dispatched once more, in the step that ends the order
    };

    boost::asio::awaitable<bool> carry_out_due();
    boost::asio::awaitable<void> carry_out(ports::TakenRerun taken);
    boost::asio::awaitable<Result<Outcome>> order(domain::Rerun rerun);
    boost::asio::awaitable<Result<Outcome>>
    order_run(domain::Rerun rerun, domain::Run run, std::vector<domain::Run> runs);
    static Outcome afresh(
        const domain::Rerun& rerun, const domain::Run& run, const std::vector<domain::Run>& runs
    );
    void trouble(std::string detail);

    Settings settings_;
    Surroundings around_;
    std::unique_ptr<ports::Bell> bell_;
};

} // namespace baton::relay
