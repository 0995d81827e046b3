#pragma once

#include "baton/app/demo_text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What `baton demo` shows, as a pure function from a snapshot to text. How it gets onto a terminal
/// is demo_screen's business.
namespace baton::app::demo {

/// One line of the table.
struct DownstreamRow {
    domain::Level level{domain::Level::l1};
    std::string repo;
    std::string device;
    std::size_t received{0};
    std::size_t waiting{0};
    std::size_t failed{0};
    std::string note;
    Tone tone{Tone::plain}; // of the note
    bool featured{false};   // has a part in the play: stays when the screen is too small for all
};

/// Something that happened, in plain words.
struct Happening {
    Millis at{}; // since the start
    std::string text;
    bool trouble{false}; // is shown for longer
};

/// A thing and how often it was counted.
using Counted = std::pair<std::string, std::size_t>;

struct Webhooks {
    std::size_t accepted{0};
    std::size_t duplicate{0};
    std::vector<Counted> ignored; // by reason
    std::size_t not_taken{0};     // refused, or no place to write them
};

/// What downstreams reported, and what the relay concluded without them.
struct Results {
    std::size_t recorded{0};
    std::size_t duplicate{0}; // and late or superfluous: taken note of, without effect
    std::size_t refused{0};
    std::size_t ignored{0}; // of level 1
    std::size_t running{0};
    std::size_t silent{0};
    std::size_t timed_out{0};
};

/// What stands on the upstream's pull requests.
struct Checks {
    std::size_t posted{0}; // check runs, gates included
    std::size_t pulls{0};  // open ones; the rest is about them
    std::size_t green{0};  // gates
    std::size_t red{0};
    std::size_t waiting{0};
    std::size_t mergeable{0};
    std::size_t suspended{0}; // downstreams that hold up nothing for the time being
};

struct Snapshot {
    std::string address; // http://127.0.0.1:4711
    std::string upstream;
    std::string store_path;
    std::string log_path;
    std::uint64_t seed{0};
    Millis uptime{};
    std::string stage; // what goes on apart from the play: "draining"; empty: nothing
    Webhooks webhooks;
    std::vector<std::pair<domain::DispatchState, std::size_t>> dispatches;
    Results results;
    Checks checks;
    double sent_per_second{0};
    std::optional<Millis> median_age; // from "decided" to "sent", of the latest ones
    std::optional<Millis> oldest_age; // of what waits
    std::size_t repeats{0};           // received twice because no answer came the first time
    std::vector<DownstreamRow> downstreams;
    std::vector<Happening> happenings; // oldest first
};

struct Size {
    std::size_t columns{80};
    std::size_t rows{24};
};

/// At most `size.rows` lines of at most `size.columns` characters. Rows stay where they are from
/// one snapshot to the next: on a small screen the featured downstreams are shown and the others
/// summed up.
std::vector<Line> view(const Snapshot& snapshot, Size size);

/// One line for a log or a pipe.
std::string summary(const Snapshot& snapshot);

} // namespace baton::app::demo
