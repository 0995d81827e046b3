#pragma once

#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/chance.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/absence.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace baton::relay {

/// Makes GitHub agree with what should stand on pull requests: created once, changed afterwards,
/// and what was wanted meanwhile goes in one call. An attempt is on disk before it is made; a
/// creation whose answer was never heard is looked for first. While GitHub is away one posting at a
/// time tries, ever more rarely. Relay's executor.
class Poster {
public:
    static constexpr std::size_t kAtOnce = 8;

    struct Settings {
        InstanceId instance;
        domain::RetryPolicy retry;
    };

    struct Surroundings {
        boost::asio::any_io_executor executor;
        ports::Store& store;
        ports::Github& github;
        ports::Clock& clock;
        ports::Chance& chance;
        ports::Journal& journal;
    };

    Poster(Settings settings, Surroundings around);

    void wake(); // any thread
    /// Posts for ever, until told to finish.
    boost::asio::awaitable<void> run();
    /// Takes nothing new; `run` returns once what is under way has ended.
    void finish();
    void cancel();

    /// Whatever was under way has ended.
    boost::asio::awaitable<void> join() { return under_way_.join(); }

private:
    /// What GitHub said, and in how many calls.
    struct Exchange {
        ports::Posted posted;
        std::size_t calls{0};
        std::optional<std::int64_t> known; // GitHub's number of what was there already
    };

    boost::asio::awaitable<TimePoint> post_due();
    boost::asio::awaitable<void> post(ports::TakenPosting taken);
    boost::asio::awaitable<Exchange> exchange(ports::TakenPosting taken);
    boost::asio::awaitable<Result<std::optional<std::int64_t>>> find(ports::Posting posting);
    void learn_from(const domain::Answer& answer, TimePoint began);
    void trouble(std::string detail);

    Settings settings_;
    Surroundings around_;
    std::unique_ptr<ports::Bell> bell_;
    std::optional<Absence> absence_;
    bool finishing_{false};
    async::TaskGroup under_way_;
};

} // namespace baton::relay
