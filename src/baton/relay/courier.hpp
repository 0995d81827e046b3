#pragma once

#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/letter.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/chance.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/sink.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/absence.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace baton::relay {

/// Carries letters from the outbox to one sink: several lanes side by side, each in its order. A
/// sink that is away is tried with one letter at a time, ever more rarely, until it takes one; then
/// all the others follow. Nobody waits for it. Relay's executor.
class Courier {
public:
    static constexpr std::size_t kAtOnce = 8; // lanes under way

    struct Settings {
        InstanceId instance;
        domain::RetryPolicy retry;
    };

    struct Surroundings {
        boost::asio::any_io_executor executor;
        ports::Store& store;
        ports::Sink& sink;
        ports::Clock& clock;
        ports::Chance& chance;
        ports::Journal& journal;
    };

    Courier(Settings settings, Surroundings around);

    void wake(); // any thread
    /// Carries for ever, until told to finish.
    boost::asio::awaitable<void> run();
    /// Takes nothing new; `run` returns once what is under way has ended.
    void finish();
    /// Cuts short what is under way: it is sent again, and the sink knows it already.
    void cancel();

private:
    boost::asio::awaitable<TimePoint> carry_due();
    boost::asio::awaitable<void> carry(ports::TakenLetter letter);
    void learn_from(const domain::SinkAnswer& answer, TimePoint began);
    void trouble(std::string detail);

    Settings settings_;
    Surroundings around_;
    std::unique_ptr<ports::Bell> bell_;
    std::optional<Absence> absence_;
    bool finishing_{false};
    async::TaskGroup under_way_;
};

} // namespace baton::relay
