#pragma once

#include "baton/app/demo_screen.hpp"
#include "baton/app/demo_stop.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace baton::app::demo {

struct Options {
    std::optional<std::chrono::seconds> lasts; // nullopt: until told to stop
    std::uint64_t seed{1};
    std::uint16_t port{0}; // of the relay; 0: any free one
    bool keep{false};      // the temporary folder
    std::string store;     // an empty database; empty: a file in that folder
};

/// How it ended.
enum class Ending : std::uint8_t {
    nothing_lost = 1,
    something_wrong, // the account names it
    not_started,     // a sentence on standard error says why
};

/// The whole of Baton on one machine: a simulated GitHub, two dozen downstreams, people, trouble,
/// and the real relay over real HTTP with a real store in a temporary folder, or in a database.
/// Shows it until `stop` is raised or the time is over, lets the relay drain, stops everything,
/// compares what GitHub saw with what the store holds, prints the account and removes the folder.
Ending run(const Options& options, Screen& screen, StopSign& stop);

} // namespace baton::app::demo
