#pragma once

#include "baton/app/demo_view.hpp"
#include "baton/app/demo_watch.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"

#include <cstddef>
#include <string>

namespace baton::app::demo {

/// What is known of one downstream at one moment.
struct Situation {
    const domain::Downstream& downstream;
    DownstreamFacts facts;
    std::size_t waiting{0};
    std::size_t repeats{0};
    TimePoint limited_until{}; // its owner, by GitHub
    TimePoint now{};
};

struct Note {
    std::string text;
    Tone tone{Tone::quiet};
};

/// The end of the relay's sentence about a failure: what an owner can do.
std::string advice_in(const std::string& sentence);

/// The most telling thing about a downstream, short enough for a column: what hinders it now, what
/// it is like, or what its settings mean.
Note note_for(const Situation& situation);

} // namespace baton::app::demo
