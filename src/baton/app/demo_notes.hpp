#pragma once

#include "baton/app/demo_view.hpp"
#include "baton/app/demo_watch.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace baton::app::demo {

struct Note {
    std::string text;
    Tone tone{Tone::quiet};
};

/// What is known of one downstream at one moment.
struct Situation {
    const domain::Downstream& downstream;
    DownstreamFacts facts;
    std::size_t waiting{0};
    std::size_t repeats{0};
    std::optional<Note> reports{}; // how it reports
    TimePoint limited_until{};     // its owner, by GitHub
    bool suspended{false};         // its part of the gate
    TimePoint now{};
};

/// The end of the relay's sentence about a failure: what an owner can do.
std::string advice_in(const std::string& sentence);

/// The most telling thing about a downstream, short enough for a column: what hinders it now, what
/// it is like, or what its settings mean.
Note note_for(const Situation& situation);

} // namespace baton::app::demo
