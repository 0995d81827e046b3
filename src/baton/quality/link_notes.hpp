#pragma once

#include "baton/base/time.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>

/// What was found at links, kept from one look to the next: one failure is a bad day, two are a
/// dead link.
namespace baton::quality {

struct LinkNote {
    TimePoint checked{}; // the last look
    bool open{false};
    bool login{false};                     // it led to a login
    std::optional<TimePoint> closed_since; // the first look that failed after the last that did not
    std::string detail;                    // why it is not open
    std::string text;                      // SHA-256 of what it showed when it was open
};

using LinkNotes = std::map<std::string, LinkNote>; // by link

/// What one look found.
struct LinkSeen {
    bool open{false};
    bool login{false};
    std::string detail;
    std::string text;
};

/// So long after the first failure another one makes a link dead.
inline constexpr std::chrono::hours kDeadAfter{24};

/// The note after one more look. What was shown when it was open stays known.
LinkNote noted(const LinkNote* before, LinkSeen seen, TimePoint now);

/// Two failures, a day apart at least, and none in between that was none.
bool is_dead(const LinkNote& note);

} // namespace baton::quality
