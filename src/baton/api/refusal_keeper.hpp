#pragma once

#include "baton/base/ids.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/operators.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace baton::api {

/// Writes refused reports down, away from the requests that were refused: whoever answers one only
/// leaves it here. What came since the last write is gathered by caller, reason and hour, so that a
/// flood is a few rows; what finds no room is counted and gone. Any thread.
class RefusalKeeper {
public:
    static constexpr std::chrono::milliseconds kWait{500};
    static constexpr std::size_t kGroupsMax = 1'000; // between two writes

    struct Surroundings {
        ports::Operators& operators;
        ports::Clock& clock;
        ports::Journal& journal;
    };

    explicit RefusalKeeper(Surroundings around)
        : around_(around) {}

    void note(ports::Refusal refusal);
    /// Writes for ever, until cancelled. Once.
    boost::asio::awaitable<void> run();
    /// Writes what is there now.
    boost::asio::awaitable<void> write();
    std::size_t dropped() const; // since the start

private:
    using Key = std::tuple<RepoName, std::string, std::chrono::hours>;

    std::vector<ports::Refusal> take();

    Surroundings around_;
    mutable std::mutex mutex_;
    std::map<Key, ports::Refusal> waiting_; // guarded, as all below
    std::size_t dropped_{0};
    bool in_trouble_{false};
};

} // namespace baton::api
