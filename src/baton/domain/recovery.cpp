#include "baton/domain/recovery.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/event.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>

namespace baton::domain {

namespace {

constexpr int kAccepted = 202;

bool is_success(int status) {
    return status >= 200 && status < 300;
}

} // namespace

void fold(SentHook& hook, const HookTry& line) {
    const bool first = hook.newest.id == 0;
    hook.first_at = first ? line.at : std::min(hook.first_at, line.at);
    if (line.id > hook.newest.id) {
        hook.newest = line;
    }
}

Whereabouts whereabouts_of(const SentHook& hook, TimePoint now) {
    if (hook.in_ledger) {
        return Whereabouts::in_ledger;
    }
    const auto& line = hook.newest;
    // 202 and not in the ledger: it was there, and a restored backup does not have it.
    const bool answered = is_success(line.status) && line.status != kAccepted;
    if (answered || !may_concern(line.event, line.action)) {
        return Whereabouts::ignored;
    }
    if (hook.asked_at && now - *hook.asked_at < kAskSpacing && now >= *hook.asked_at) {
        return Whereabouts::asked;
    }
    return hook.asked < kAskedMax ? Whereabouts::to_ask : Whereabouts::given_up;
}

std::size_t Completeness::missing() const {
    return sent - std::min(sent, in_ledger + ignored);
}

std::string to_text(const Completeness& day) {
    return fmt::format(
        "sent by GitHub {}, in the ledger {}, ignored {}, missing {}; dispatches due {}, accepted "
        "{}, "
        "started {}, reported {}, open {}, failed {}",
        day.sent,
        day.in_ledger,
        day.ignored,
        day.missing(),
        day.due,
        day.accepted,
        day.started,
        day.reported,
        day.open,
        day.ended
    );
}

TimePoint start_of_day(TimePoint when) {
    return std::chrono::floor<std::chrono::days>(when);
}

} // namespace baton::domain
