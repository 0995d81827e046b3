#include "baton/quality/link_notes.hpp"

#include "baton/base/time.hpp"

#include <optional>
#include <utility>

namespace baton::quality {

LinkNote noted(const LinkNote* before, LinkSeen seen, TimePoint now) {
    LinkNote note{
        .checked = now,
        .open = seen.open,
        .login = seen.login,
        .closed_since = std::nullopt,
        .detail = std::move(seen.detail),
        .text = std::move(seen.text),
    };
    if (!note.open) {
        const bool still = before != nullptr && before->closed_since.has_value();
        note.closed_since = still ? before->closed_since : std::optional(now);
        note.text = before != nullptr ? before->text : "";
    }
    return note;
}

bool is_dead(const LinkNote& note) {
    return !note.open && note.closed_since && note.checked - *note.closed_since >= kDeadAfter;
}

} // namespace baton::quality
